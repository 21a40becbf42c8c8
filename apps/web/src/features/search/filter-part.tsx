/** The page of a filter (`?filter=`): its conditions, plots of the result, and the rows. */
import { IconX } from '@tabler/icons-react';
import { useCallback } from 'react';
import { ErrorPanel } from '../../components/failure.tsx';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import {
  type Chip,
  chipsOf,
  type Conditions,
  conditionsOfSearch,
  conditionsOfText,
  textOfConditions,
  withElements,
  withoutChip,
} from '../../components/filter/conditions.ts';
import { useChipText } from '../../components/filter/filter-words.ts';
import { Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Pictures } from './filter/pictures.tsx';
import { ScreenResults } from './filter/screen-results.tsx';
import type { PagePart, PageState } from './page-part.ts';
import classes from './search.module.css';
import { matdataTexts, screenTexts } from './texts.ts';
import type { SearchStatement } from './use-screen.ts';

interface FilterChipsProps {
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

/** The active conditions, one removable chip each. */
const keyOf = (chip: Chip): string => JSON.stringify(chip);

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

/** @param startSearch starts a search for the typed text if there is no filter to add it to */
export function useFilterPart(page: PageState, startSearch: () => void): PagePart {
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

function AboveResults({ state, change, said, asked, edit }: PageState) {
  const { conditions } = said;
  return (
    <>
      <FilterChips conditions={conditions} onConditions={edit.setConditions} />
      <Pictures
        plot={state.plot}
        onPlot={(plot) => change((now) => ({ ...now, plot }), { isReplacing: true })}
        heat={state.heat}
        onHeat={(heat) => change((now) => ({ ...now, heat }), { isReplacing: true })}
        screened={asked.screened.isError ? undefined : asked.counts}
        conditions={conditions}
        onConditions={edit.setConditions}
      />
    </>
  );
}

function Results({ state, changeView, said, asked, edit, selection }: PageState) {
  const { t } = useTexts(matdataTexts);
  const { screened, counts, more } = asked;
  useFailureToastOf(counts ? screened.error : null);
  if (screened.isError)
    return (
      <div className={classes.failure}>
        <ErrorPanel error={screened.error} onRetry={() => void screened.refetch()} />
      </div>
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
    />
  );
}
