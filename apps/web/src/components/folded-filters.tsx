/** The filters of a search. On phones one button shows and hides them, so that results are in view; active filters stay as chips. */
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useIsCompact } from '../lib/breakpoints.ts';
import classes from './search-form/search-form.module.css';
import { componentTexts } from './texts.ts';

interface FoldedFiltersProps {
  /** Text of the button; default "Filters". */
  readonly name?: string;
  /** The active filters as short texts: `Band gap ≥ (eV): 3`. */
  readonly active: readonly string[];
  /** True if a filter is invalid. The filters then stay unfolded. */
  readonly hasProblem?: boolean;
  /**
   * True if the filters also fold on wide screens. There they are unfolded at first if any filter is active.
   */
  readonly foldsEverywhere?: boolean;
  readonly children: ReactNode;
}

export function FoldedFilters(props: FoldedFiltersProps) {
  const { active, hasProblem = false, foldsEverywhere = false, children } = props;
  const { t } = useTexts(componentTexts);
  const isCompact = useIsCompact();
  const [isOpen, setOpen] = useState(!isCompact && active.length > 0);
  const panel = useId();
  if (!isCompact && !foldsEverywhere) return children;
  const isShown = isOpen || hasProblem;
  const name = props.name ?? t('filters');
  return (
    <div className={classes.filters}>
      <button
        type="button"
        className={`uc-button ${classes.filtersButton}`}
        aria-expanded={isShown}
        aria-controls={panel}
        onClick={() => setOpen(!isShown)}
      >
        {active.length === 0 ? name : `${name} (${active.length})`}
        <IconChevronDown size={15} aria-hidden="true" data-up={isShown || undefined} />
      </button>
      {!isShown && active.length > 0 && (
        <ul className={`uc-list uc-wrap ${classes.activeFilters}`}>
          {active.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <div id={panel} hidden={!isShown} className={classes.filtersPanel}>
        {children}
      </div>
    </div>
  );
}
