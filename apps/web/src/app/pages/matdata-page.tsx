/**
 * The materials search (spec §2.7) with its filters. The address holds the submitted search; local state
 * holds what is being typed. Adding a filter turns the search into one filter. The address therefore contains
 * either a search (search-part.tsx) or a filter (filter-part.tsx). This component surrounds both, so that
 * open controls stay open when a search becomes a filter or a filter a search.
 */
import type { Facet } from '@unitcell/contract/matdata';
import { useCallback, useId, useMemo, useState } from 'react';
import type { ChangeView } from '../../components/data-table/columns.tsx';
import { type ElementChoice, type ElementMode, elementsOf } from '../../components/filter/conditions.ts';
import { FoldingElements } from '../../components/folding-elements.tsx';
import { PeriodicTable } from '../../components/periodic-table.tsx';
import { componentTexts } from '../../components/texts.ts';
import { CalculatedContext, filterTexts } from '../../components/filter/filter-fields.ts';
import { usePicked } from '../../components/materials/use-picked.ts';
import { SearchForm } from '../../components/search-form/search-form.tsx';
import page from '../../components/panel.module.css';
import { HowItWorks, ToolHeader } from '../../components/tool-page/tool-page.tsx';
import { PickedTray } from '../../features/collections/picked-tray.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useAddressState } from '../../lib/use-address-state.ts';
import {
  readSearchState,
  statementOfSearch,
  useSearchBox,
  useSearchPart,
  writeSearchState,
} from '../../features/search/search-part.tsx';
import { statementOfFilter, useEditFilter, useFilterPart } from '../../features/search/filter-part.tsx';
import { FilterSidebar, FilterDrawer } from '../../features/search/sidebar/filter-sidebar.tsx';
import screen from '../../features/search/search.module.css';
import { matdataTexts, screenTexts } from '../../features/search/texts.ts';
import { useScreened } from '../../features/search/use-screen.ts';

export function Page() {
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

  const shared = {
    state,
    change,
    changeView,
    box,
    said,
    edit,
    mode,
    selection: picked.selection,
  };
  const {
    part: searched,
    isSearching,
    place,
  } = useSearchPart(filter === null ? query : null, shared, counts?.catalogue, foldTable);
  const filtered = useFilterPart({ ...shared, asked }, searched.onSearch);
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
              screened={asked.screened.isError ? undefined : counts}
              ion={ion}
              onIon={(next) => change((now) => ({ ...now, ion: next }), { isReplacing: true })}
              calculated={calculated}
              onCalculated={edit.setCalculated}
            />
          </FilterDrawer>
        </div>
        <PickedTray picked={picked} scale={state.scale} />
      </div>
    </CalculatedContext>
  );
}

const MODES: readonly ElementMode[] = ['with', 'without', 'only'];

interface ElementPanelProps {
  readonly choice: ElementChoice;
  readonly mode: ElementMode;
  readonly onMode: (mode: ElementMode) => void;
  readonly onToggle: (symbol: string) => void;
  readonly facet: Facet | undefined;
  /** True if results are shown below; the table is then collapsed. */
  readonly canFold: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The elements: a line with the selection, and the table with counts, collapsed once there are results. */
function ElementPanel(props: ElementPanelProps) {
  const { choice, mode, facet, canFold, isOpen } = props;
  const { t } = useTexts(screenTexts);
  const { t: words } = useTexts(filterTexts);
  const { t: common } = useTexts(componentTexts);
  const group = useId();
  const selected = useMemo(() => new Set([...choice.with, ...choice.only]), [choice]);
  const excluded = useMemo(() => new Set(choice.without), [choice]);
  const chosen = MODES.filter((each) => choice[each].length > 0);
  // In the mode "exactly these" the counts do not apply: adding an element gives a different search, not a part of
  // this one.
  const counts = facet?.kind === 'elements' && choice.only.length === 0 ? facet.counts : undefined;
  return (
    <FoldingElements
      canFold={canFold}
      isOpen={isOpen}
      onOpen={props.onOpen}
      chosen={
        chosen.length === 0
          ? common('noElements')
          : chosen.map((each) => (
              <span key={each} data-mode={each}>
                {words(each)} <b translate="no">{choice[each].join(' ')}</b>
              </span>
            ))
      }
    >
      <PeriodicTable
        selected={selected}
        excluded={excluded}
        onToggle={props.onToggle}
        {...(counts ? { counts } : {})}
      />
      <fieldset className={`uc-row uc-note ${screen.modes}`}>
        <legend className={screen.modesLegend}>{t('modeLabel')}</legend>
        {MODES.map((each) => (
          <label key={each} className={screen.mode}>
            <input
              type="radio"
              name={`${group}-mode`}
              checked={mode === each}
              onChange={() => props.onMode(each)}
            />
            {words(each)}
          </label>
        ))}
      </fieldset>
    </FoldingElements>
  );
}
