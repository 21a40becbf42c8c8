/** The elements: a line of what is chosen, and the table that knows the catalogue, folded once there are results. */
import type { Facet } from '@unitcell/contract/matdata';
import { useId, useMemo } from 'react';
import { FoldingElements } from '../../components/folding-elements.tsx';
import { filterTexts } from '../../components/filter/texts.ts';
import { PeriodicTable } from '../../components/periodic-table.tsx';
import { componentTexts } from '../../components/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { ElementChoice, ElementMode } from '../../components/filter/conditions.ts';
import classes from './search.module.css';
import { screenTexts } from './texts.ts';

const MODES: readonly ElementMode[] = ['with', 'without', 'only'];

interface ElementPanelProps {
  readonly choice: ElementChoice;
  readonly mode: ElementMode;
  readonly onMode: (mode: ElementMode) => void;
  readonly onToggle: (symbol: string) => void;
  readonly facet: Facet | undefined;
  /** Results stand below: the table folds to a line. */
  readonly canFold: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

export function ElementPanel(props: ElementPanelProps) {
  const { choice, mode, facet, canFold, isOpen } = props;
  const { t } = useTexts(screenTexts);
  const { t: words } = useTexts(filterTexts);
  const { t: common } = useTexts(componentTexts);
  const group = useId();
  const selected = useMemo(() => new Set([...choice.with, ...choice.only]), [choice]);
  const excluded = useMemo(() => new Set(choice.without), [choice]);
  const chosen = MODES.filter((each) => choice[each].length > 0);
  // To "only these" an element is added, none is taken away: nothing is emptied by it.
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
      <fieldset className={classes.modes}>
        <legend className={classes.modesLegend}>{t('modeLabel')}</legend>
        {MODES.map((each) => (
          <label key={each} className={classes.mode}>
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
