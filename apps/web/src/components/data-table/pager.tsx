/** Previous, seven page numbers, next. */
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { componentTexts } from '../texts.ts';
import classes from '../table.module.css';

/** Number buttons a pager has at most. */
export const PAGER_BUTTONS = 7;

/**
 * Pages (from 1) to offer as buttons: the first, the last and those around the current one, at most seven numbers;
 * null stands where numbers are left out.
 * @example pagerNumbers(10, 40) // [1, null, 8, 9, 10, 11, 12, null, 40]
 */
export function pagerNumbers(current: number, pageCount: number): readonly (number | null)[] {
  if (pageCount <= PAGER_BUTTONS) return Array.from({ length: pageCount }, (_, i) => i + 1);
  const inner = PAGER_BUTTONS - 2;
  const half = Math.floor(inner / 2);
  const first = Math.max(2, Math.min(current - half, pageCount - inner));
  const middle = Array.from({ length: inner }, (_, i) => first + i);
  return [
    1,
    ...(first > 2 ? [null] : []),
    ...middle,
    ...(first + inner < pageCount ? [null] : []),
    pageCount,
  ];
}

interface PagerProps {
  /** Of the table: a page may have several. */
  readonly label: string;
  /** From 0. */
  readonly page: number;
  readonly pageCount: number;
  readonly pageSize: number;
  readonly total: number;
  /** Told how to come from the present page to the wanted one. */
  readonly onPage: (turn: (now: number) => number) => void;
}

export function Pager({ label, page, pageCount, pageSize, total, onPage }: PagerProps) {
  const { t } = useTexts(componentTexts);
  const numbers = pagerNumbers(page + 1, pageCount);
  return (
    <nav className={classes.pager} aria-label={t('pager', { table: label })}>
      <span className={classes.range}>
        {t('rowsOf', {
          from: formatCount(page * pageSize + 1),
          to: formatCount(Math.min(total, (page + 1) * pageSize)),
          total: formatCount(total),
        })}
      </span>
      <button
        type="button"
        className={classes.page}
        disabled={page === 0}
        onClick={() => onPage((now) => now - 1)}
      >
        <span aria-hidden="true">‹</span>
        <span className={classes.pageWord}> {t('previous')}</span>
      </button>
      {numbers.map((number, index) =>
        number === null ? (
          <span key={index === 1 ? 'before' : 'after'} className={classes.gap} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={number}
            type="button"
            className={classes.page}
            aria-label={t('pageN', { n: number })}
            aria-current={number === page + 1 ? 'page' : undefined}
            onClick={() => onPage(() => number - 1)}
          >
            {number}
          </button>
        ),
      )}
      <button
        type="button"
        className={classes.page}
        disabled={page === pageCount - 1}
        onClick={() => onPage((now) => now + 1)}
      >
        <span className={classes.pageWord}>{t('next')} </span>
        <span aria-hidden="true">›</span>
      </button>
    </nav>
  );
}
