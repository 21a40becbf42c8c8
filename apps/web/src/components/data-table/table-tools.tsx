/** The tools above the table: row count, column chooser, CSV export. */
import { IconBaselineDensitySmall, IconChevronDown, IconDownload } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { toCsv } from '../../lib/download.ts';
import { formatCount } from '../../lib/format.ts';
import { useDownload } from '../file-origin.tsx';
import classes from '../table.module.css';
import { componentTexts } from '../texts.ts';
import { type ChangeView, type DataColumn, isShown, type TableView, valueOf } from './columns.tsx';
import { observable, useObservable } from '../../lib/observable.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

// Row height of all large tables, kept in this browser.

const KEY = 'tableDensity';

const isCompact = observable(readStored(KEY) === 'compact');

export const useIsDense = (): boolean => useObservable(isCompact);

function setDense(isDense: boolean): void {
  writeStored(KEY, isDense ? 'compact' : null);
  isCompact.set(isDense);
}

/** Maximum number of page buttons. */
export const PAGER_BUTTONS = 7;

/**
 * Pages (from 1) to offer as buttons: the first, the last and those around the current one, at most seven numbers.
 * Null marks a gap.
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
  /** Name of the table; a page may have several. */
  readonly label: string;
  /** Zero-based. */
  readonly page: number;
  readonly pageCount: number;
  readonly pageSize: number;
  readonly total: number;
  /** Takes a function from the current page to the new one, so that quick clicks add up. */
  readonly onPage: (update: (now: number) => number) => void;
}

/** Previous, up to seven page numbers, next. */
export function Pager({ label, page, pageCount, pageSize, total, onPage }: PagerProps) {
  const { t } = useTexts(componentTexts);
  const numbers = pagerNumbers(page + 1, pageCount);
  return (
    <nav className={`uc-row ${classes.pager}`} aria-label={t('pager', { table: label })}>
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

interface TableToolsProps<Row> {
  readonly caption: ReactNode;
  readonly columns: readonly DataColumn<Row>[];
  readonly view: TableView;
  readonly onViewChange: ChangeView;
  readonly csvName: string | undefined;
  readonly csvRemarks: readonly string[] | undefined;
  readonly csvRows: (() => Promise<readonly Row[] | null>) | undefined;
  readonly sortedRows: () => readonly Row[];
}

export function TableTools<Row>(props: TableToolsProps<Row>) {
  const { t } = useTexts(componentTexts);
  const download = useDownload();
  const isDense = useIsDense();
  const { columns, view, csvName } = props;
  const canChoose = columns.some((column) => column.isHiddenByDefault);
  if (!props.caption && !canChoose && csvName === undefined) return null;

  const save = (rows: readonly Row[]): void => {
    const cells = rows.map((row) => columns.map((column) => valueOf(column, row)));
    const header = columns.map((column) => column.header);
    download.csv(`${csvName}.csv`, toCsv(header, cells, props.csvRemarks));
  };
  const exportCsv = (): void => {
    if (props.csvRows) void props.csvRows().then((rows) => rows && save(rows));
    else save(props.sortedRows());
  };
  return (
    <div className={`uc-wrap ${classes.tools}`}>
      <div className={classes.caption}>{props.caption}</div>
      <div className={classes.buttons}>
        {canChoose && (
          <>
            <button
              type="button"
              className={`uc-button ${classes.tool} ${classes.density}`}
              aria-label={t('compactRows')}
              title={t('compactRows')}
              aria-pressed={isDense}
              onClick={() => setDense(!isDense)}
            >
              <IconBaselineDensitySmall size={15} aria-hidden="true" />
            </button>
            <ColumnChooser columns={columns} view={view} onViewChange={props.onViewChange} />
          </>
        )}
        {csvName !== undefined && (
          <button
            type="button"
            className={`uc-button ${classes.tool}`}
            aria-label={t('exportCsvLabel')}
            onClick={exportCsv}
          >
            <IconDownload size={15} aria-hidden="true" /> {t('exportCsv')}
          </button>
        )}
      </div>
    </div>
  );
}

type ColumnChooserProps<Row> = Pick<TableToolsProps<Row>, 'columns' | 'view' | 'onViewChange'>;

function ColumnChooser<Row>({ columns, view, onViewChange }: ColumnChooserProps<Row>) {
  const { t } = useTexts(componentTexts);
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const toggle = (id: string): void =>
    onViewChange((now) => {
      const shown = columns.filter((column) => isShown(column, now)).map((column) => column.id);
      const next = shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id];
      // The last visible column cannot be hidden: an empty table would offer no way back.
      return next.length > 0 ? { ...now, shown: next } : now;
    });
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  return (
    // Escape inside closes the list; the wrapper itself is not a control.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className={classes.chooser} onKeyDown={closeOnEscape}>
      <button
        ref={button}
        type="button"
        className={`uc-button ${classes.tool}`}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
      >
        {t('columns')} <IconChevronDown size={15} aria-hidden="true" />
      </button>
      {isOpen && (
        <fieldset id={panelId} className={`uc-panel ${classes.chooserPanel}`}>
          <legend className="uc-visually-hidden">{t('columns')}</legend>
          {columns.map((column) => (
            <label key={column.id} className={`uc-line ${classes.choice}`}>
              <input type="checkbox" checked={isShown(column, view)} onChange={() => toggle(column.id)} />
              {column.header}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
