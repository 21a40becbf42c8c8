/** Previous, seven page numbers, next. */
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { componentTexts } from '../texts.ts';
import classes from './data-table.module.css';
import { pagerNumbers } from './pager-numbers.ts';

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
