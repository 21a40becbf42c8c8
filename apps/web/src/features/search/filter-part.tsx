/** The page of a filter (`?filter=`): its conditions, plots of the result, and the rows. */
import { IconX } from '@tabler/icons-react';
import { useCallback } from 'react';
import { splitNames } from '../../components/data-table/columns.tsx';
import { ErrorPanel, PanelBoundary } from '../../components/failure.tsx';
import {
  type Chip,
  chipsOf,
  type Conditions,
  conditionsOfSearch,
  conditionsOfText,
  type ElementMode,
  elementsOf,
  textOfConditions,
  toggledElement,
  withElements,
  withoutChip,
} from '../../components/filter/conditions.ts';
import { useChipText } from '../../components/filter/filter-fields.ts';
import { Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { ScreenResults } from './filter/screen-results.tsx';
import type { PagePart, PageState, SearchState, SearchStatement } from './search-part.tsx';
import classes from './search.module.css';
import { matdataTexts, screenTexts } from './texts.ts';
import type { Screened, useScreened } from './use-screen.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import type { ChangeState } from '../../lib/use-address-state.ts';
import buttons from '../../components/toolbar.module.css';

interface FilterChipsProps {
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

const keyOf = (chip: Chip): string => JSON.stringify(chip);

/** The active conditions, one removable chip each. */
function FilterChips({ conditions, onConditions }: FilterChipsProps) {
  const { t } = useTexts(screenTexts);
  const textOf = useChipText();
  if (conditions.length === 0) return null;
  return (
    <ul className={`uc-list uc-wrap ${classes.chips}`} aria-label={t('active')}>
      {chipsOf(conditions).map((chip) => (
        <li key={keyOf(chip)}>
          <button
            type="button"
            className={classes.chip}
            data-kind={chip.kind === 'element' ? chip.mode : undefined}
            aria-label={t('remove', { name: textOf(chip) })}
            onClick={() => onConditions(withoutChip(conditions, chip))}
          >
            {textOf(chip)} <IconX size={13} aria-hidden="true" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={classes.clear} onClick={() => onConditions([])}>
          {t('clearAll')}
        </button>
      </li>
    </ul>
  );
}

const NOTHING: Conditions = [];

/** A filter that cannot be split into conditions is shown as text. */
export function statementOfFilter(filter: string): SearchStatement {
  const conditions = conditionsOfText(filter);
  return conditions === null
    ? { conditions: NOTHING, text: filter }
    : { conditions, text: textOfConditions(conditions) };
}

interface EditFilterInput {
  readonly change: ChangeState<SearchState>;
  readonly write: (input: string) => void;
  readonly said: SearchStatement;
  readonly calculated: readonly string[];
  readonly mode: ElementMode;
}

/** Changes the filter. The first change turns a search into a filter. */
export function useEditFilter({ change, write, said, calculated, mode }: EditFilterInput) {
  const { conditions, text } = said;
  const setText = useCallback(
    (filter: string) => {
      // Clears the box, because the typed text or picked elements are now part of the filter.
      write('');
      change((now) => ({ ...now, query: null, filter, view: { ...now.view, page: 0 } }));
    },
    [write, change],
  );
  const setConditions = useCallback((next: Conditions) => setText(textOfConditions(next)), [setText]);
  const toggle = useCallback(
    (symbol: string) =>
      setConditions(withElements(conditions, toggledElement(elementsOf(conditions), symbol, mode))),
    [conditions, mode, setConditions],
  );
  const setCalculated = useCallback(
    (names: readonly string[]) => {
      const gone = calculated.filter((name) => !names.includes(name));
      // Removing a column also removes its conditions, plots and sort order.
      const isGone = (name: string | undefined): boolean => gone.some((other) => other === name);
      const rest = conditions.filter((term) => term.kind !== 'compare' || !isGone(term.property));
      change((now) => ({
        ...now,
        query: null,
        filter: gone.length > 0 ? textOfConditions(rest) : text,
        calculated: names,
        plot: now.plot !== null && splitNames(now.plot).some(isGone) ? null : now.plot,
        heat: isGone(now.heat ?? undefined) ? null : now.heat,
        view: { ...now.view, page: 0, sort: isGone(now.view.sort?.id) ? null : now.view.sort },
      }));
    },
    [calculated, conditions, text, change],
  );
  return { setText, setConditions, toggle, setCalculated };
}

/** What the page passes to its filter part. */
interface FilterPageState extends PageState {
  readonly edit: ReturnType<typeof useEditFilter>;
  readonly asked: ReturnType<typeof useScreened>;
}

/** @param startSearch starts a search for the typed text if no filter exists to which the text could be added */
export function useFilterPart(page: FilterPageState, startSearch: () => void): PagePart {
  const { box, said, edit } = page;
  const { type, input } = box;
  const { conditions } = said;
  const { setConditions, toggle } = edit;
  const onSearch = useCallback(() => {
    if (conditions.length === 0) startSearch();
    else
      setConditions([
        ...withElements(conditions, { with: [], without: [], only: [] }),
        ...conditionsOfSearch(type, input, true),
      ]);
  }, [conditions, type, input, setConditions, startSearch]);
  return {
    hasResults: true,
    filters: chipsOf(conditions).length,
    belowBox: null,
    onSearch,
    onElement: toggle,
    above: <AboveResults {...page} />,
    results: <Results {...page} />,
  };
}

function AboveResults({ state, change, said, asked, edit }: FilterPageState) {
  const { conditions } = said;
  return (
    <>
      <FilterChips conditions={conditions} onConditions={edit.setConditions} />
      <Pictures
        plot={state.plot}
        onPlot={(plot) => change((now) => ({ ...now, plot, heat: null }), { isReplacing: true })}
        heat={state.heat}
        onHeat={(heat) => change((now) => ({ ...now, heat, plot: null }), { isReplacing: true })}
        screened={asked.screened.isError ? undefined : asked.counts}
        conditions={conditions}
        onConditions={edit.setConditions}
      />
    </>
  );
}

function Results({ state, changeView, said, asked, edit, selection }: FilterPageState) {
  const { t } = useTexts(matdataTexts);
  const { t: words } = useTexts(screenTexts);
  const { screened, counts, more } = asked;
  if (screened.isError)
    return (
      <>
        <ErrorPanel error={screened.error} onRetry={() => void screened.refetch()} />
        {/* A filter that cannot be split into conditions has no chips to remove it with. */}
        {said.conditions.length === 0 && said.text !== '' && (
          <button type="button" className={buttons.format} onClick={() => edit.setText('')}>
            {words('clearAll')}
          </button>
        )}
      </>
    );
  if (!counts) return <Waiting>{t('searching')}</Waiting>;
  return (
    <ScreenResults
      screened={counts}
      isStale={screened.isPlaceholderData}
      conditions={said.conditions}
      onConditions={edit.setConditions}
      view={state.view}
      onViewChange={changeView}
      more={more}
      selection={selection}
      scale={state.scale}
    />
  );
}

const ScatterPanel = lazyPart(async () => (await import('./filter/scatter-panel.tsx')).ScatterPanel);
const HeatPanel = lazyPart(async () => (await import('./filter/scatter-panel.tsx')).HeatPanel);

const DEFAULT_PLOT = 'band_gap.formation_energy_per_atom.energy_above_hull';
const DEFAULT_HEAT = 'band_gap';

interface PicturesProps {
  /** Columns of the scatter plot, `x.y` or `x.y.colour`; null if the plot is closed. */
  readonly plot: string | null;
  readonly onPlot: (plot: string | null) => void;
  /** Property of the heat map, or empty for the number of materials; null if the map is closed. */
  readonly heat: string | null;
  readonly onHeat: (heat: string | null) => void;
  /** Undefined until there is data. */
  readonly screened: Screened | undefined;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

/**
 * Plots of a filter's result: a scatter plot, and the heat map of a property over the periodic table. Loaded on demand.
 */
function Pictures(props: PicturesProps) {
  const { plot, onPlot, heat, onHeat, screened, conditions, onConditions } = props;
  const { t } = useTexts(screenTexts);
  const drawn = screened && {
    filter: screened.filter,
    scale: screened.scale.functional,
    conditions,
    onConditions,
  };
  return (
    <>
      <p className={`uc-wrap ${classes.toggles}`}>
        <button
          type="button"
          className={buttons.format}
          aria-expanded={plot !== null}
          onClick={() => onPlot(plot === null ? DEFAULT_PLOT : null)}
        >
          {t('plot')}
        </button>
        <button
          type="button"
          className={buttons.format}
          aria-expanded={heat !== null}
          onClick={() => onHeat(heat === null ? DEFAULT_HEAT : null)}
        >
          {t('heat')}
        </button>
      </p>
      {heat !== null && drawn && (
        <PanelBoundary waiting={<div className={classes.heatToCome} aria-busy="true" />}>
          <HeatPanel field={heat} onField={onHeat} {...drawn} />
        </PanelBoundary>
      )}
      {plot !== null && drawn && (
        <PanelBoundary waiting={<div className={classes.scatterToCome} aria-busy="true" />}>
          <ScatterPanel plot={plot} onPlot={onPlot} {...drawn} />
        </PanelBoundary>
      )}
    </>
  );
}
