/** The periodic table of a search, folded to a line of what is chosen once there are results: they stand in the first screen. */
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './element-fold.module.css';
import { elementFoldTexts } from './texts.ts';

interface ElementFoldProps {
  /** Results stand below. */
  readonly canFold: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** What is chosen, for the line; null when nothing is. */
  readonly chosen: ReactNode;
  readonly children: ReactNode;
}

export function ElementFold({ canFold, isOpen, onOpen, chosen, children }: ElementFoldProps) {
  const { t } = useTexts(elementFoldTexts);
  const table = useId();
  const isShown = !canFold || isOpen;
  return (
    <section className={classes.elements} aria-label={t('elements')}>
      <div className={classes.line}>
        {canFold && (
          <>
            <span className={classes.lineTitle}>{t('elements')}</span>
            <span className={classes.chosenElements}>{chosen ?? t('none')}</span>
            <button
              type="button"
              className={classes.fold}
              aria-expanded={isShown}
              aria-controls={table}
              onClick={() => onOpen(!isOpen)}
            >
              {t(isShown ? 'close' : 'open')}
              <IconChevronDown size={15} aria-hidden="true" data-up={isShown || undefined} />
            </button>
          </>
        )}
      </div>
      <div id={table} hidden={!isShown}>
        {isShown && children}
      </div>
    </section>
  );
}
