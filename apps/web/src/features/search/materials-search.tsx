/**
 * The materials search (spec §2.7) with its filters. The address holds the submitted search; local state holds what is being
 * typed. Adding a filter turns the search into one filter. The address therefore contains either a search (search-part.tsx)
 * or a filter (filter-part.tsx). This is the page around both, so that controls stay open when one becomes the other.
 */
import { type ComponentType, useCallback, useMemo, useState } from 'react';
import type { ChangeView } from '../../components/data-table/columns.ts';
import { type ElementMode, elementsOf } from '../../components/filter/conditions.ts';
import { CalculatedContext } from '../../components/filter/filter-words.ts';
import { type Picked, usePicked } from '../../components/materials/use-picked.ts';
import { SearchForm } from '../../components/search-form/search-form.tsx';
import page from '../../components/panel.module.css';
import { HowItWorks, ToolHeader } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useAddressState } from '../../lib/use-address-state.ts';
import { ElementPanel, statementOfSearch, useSearchPart } from './search-part.tsx';
import { statementOfFilter, useFilterPart } from './filter-part.tsx';
import { type PageState, useEditFilter, useSearchBox } from './page-part.ts';
import { FilterSidebar, FilterDrawer } from './sidebar/filter-sidebar.tsx';
import screen from './search.module.css';
import { matdataTexts } from './texts.ts';
import { useScreened } from './use-screen.ts';
import { readSearchState, writeSearchState } from './view-model.ts';

interface MaterialsSearchProps {
  /** Actions for the selected materials. */
  readonly Tray: ComponentType<{ readonly picked: Picked; readonly scale: string | null }>;
}

export function MaterialsSearch({ Tray }: MaterialsSearchProps) {
  const { t } = useTexts(matdataTexts);
  const { state, change } = useAddressState({ read: readSearchState, write: writeSearchState });
  const box = useSearchBox(state);
  const [mode, setMode] = useState<ElementMode>('with');
  const [isTableOpen, setTableOpen] = useState(false);
  const picked = usePicked();

  const { type, input } = box;
  const { filter, type: searchedType, query } = state;
  const said = useMemo(
    () =>
      filter === null
        ? statementOfSearch(type, input, { type: searchedType, query })
        : statementOfFilter(filter),
    [filter, type, input, searchedType, query],
  );
  const { conditions } = said;
  const asked = useScreened(state, said);
  const { ion, calculated, counts } = asked;
  const edit = useEditFilter({ change, write: box.write, said, calculated, mode });
  const changeView = useCallback<ChangeView>(
    (update) => change((now) => ({ ...now, view: update(now.view) }), { isReplacing: true }),
    [change],
  );
  const foldTable = useCallback(() => setTableOpen(false), []);

  const shared: PageState = {
    state,
    change,
    changeView,
    box,
    said,
    asked,
    edit,
    mode,
    selection: picked.selection,
  };
  const {
    part: searched,
    isSearching,
    place,
  } = useSearchPart(filter === null ? query : null, shared, foldTable);
  const filtered = useFilterPart(shared, searched.onSearch);
  const part = filter === null ? searched : filtered;

  const units = counts?.units;
  const columns = useMemo(() => ({ names: calculated, units: units ?? {} }), [calculated, units]);
  const elements = useMemo(() => elementsOf(conditions), [conditions]);
  return (
    <CalculatedContext value={columns}>
      <div className="uc-page">
        {part.hasResults ? (
          <header className={screen.header}>
            <h1>{t('title')}</h1>
            <HowItWorks guide={filter === null ? 'search' : 'screening'} />
          </header>
        ) : (
          <ToolHeader title={t('title')} lead={t('lead')} guide="search" />
        )}
        <SearchForm
          type={type}
          input={input}
          problem={box.problem}
          isSearching={isSearching}
          onType={box.chooseType}
          onInput={box.write}
          onSearch={part.onSearch}
        />
        {part.belowBox}
        <div className={screen.page}>
          <div className={screen.main}>
            <ElementPanel
              choice={elements}
              mode={mode}
              onMode={setMode}
              onToggle={part.onElement}
              facet={counts?.facets['elements']}
              canFold={part.hasResults}
              isOpen={isTableOpen}
              onOpen={setTableOpen}
            />
            {part.above}
            <section ref={place} className={page.results} aria-label={t('results')} aria-live="polite">
              {part.results}
            </section>
          </div>
          <FilterDrawer count={part.filters}>
            <FilterSidebar
              conditions={conditions}
              onConditions={edit.setConditions}
              text={said.text}
              onText={edit.setText}
              scale={state.scale}
              onScale={(scale) => change((now) => ({ ...now, scale, view: { ...now.view, page: 0 } }))}
              screened={counts}
              ion={ion}
              onIon={(next) => change((now) => ({ ...now, ion: next }), { isReplacing: true })}
              calculated={calculated}
              onCalculated={edit.setCalculated}
            />
          </FilterDrawer>
        </div>
        <Tray picked={picked} scale={state.scale} />
      </div>
    </CalculatedContext>
  );
}
