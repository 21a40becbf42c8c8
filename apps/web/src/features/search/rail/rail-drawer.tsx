/** Where the filters stand: beside the results, or in a drawer of their own where there is no room. */
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

interface RailDrawerProps {
  /** Filters that are active. */
  readonly count: number;
  readonly children: ReactNode;
}

export function RailDrawer({ count, children }: RailDrawerProps) {
  const { t } = useTexts(screenTexts);
  const isNarrow = useMediaQuery('(max-width: 1099.98px)', undefined, { getInitialValueInEffect: false });
  const dialog = useRef<HTMLDialogElement>(null);
  const [wasOpened, setOpened] = useState(false);
  const title = count > 0 ? t('filtersActive', { n: count }) : t('filters');
  if (!isNarrow)
    return (
      <aside className={classes.aside} aria-label={t('filters')}>
        {children}
      </aside>
    );
  return (
    <div className={classes.drawerPlace}>
      <button
        type="button"
        className={classes.openDrawer}
        onClick={() => {
          setOpened(true);
          dialog.current?.showModal();
        }}
      >
        <IconAdjustmentsHorizontal size={17} aria-hidden="true" /> {title}
      </button>
      <dialog ref={dialog} className={classes.drawer} aria-label={t('filters')}>
        {/* Dozens of filters, which most visits never unfold. */}
        <div className={classes.drawerContent}>{wasOpened && children}</div>
        <button type="button" className={classes.closeDrawer} onClick={() => dialog.current?.close()}>
          {t('close')}
        </button>
      </dialog>
    </div>
  );
}
