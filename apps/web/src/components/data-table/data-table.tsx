/**
 * The site's table: sorts all rows, shows them in pages, lets the visitor choose columns and export CSV. A row opens by a
 * click or through the link in its first cell; arrow keys move between these links. In list form it shows all rows in the
 * given order without paging. On phones a list shows each row as a block; a table shows its key columns first and keeps
 * the first column in view while the others scroll. Columns marked as below stand on a line of their own under the row.
 */
import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import {
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useMemo,
  useState,
} from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useIsCompact } from '../../lib/breakpoints.ts';
import { SourcedValue } from '../provenance/sourced-value.tsx';
import { ScrollFrame } from '../scroll-frame.tsx';
import { componentTexts } from '../texts.ts';
import {
  type ChangeView,
  compareValues,
  type DataColumn,
  DEFAULT_VIEW,
  isShown,
  keysFirst,
  type SortOrder,
  type TableView,
  valueOf,
} from './columns.tsx';
import classes from '../table.module.css';
import { Pager, TableTools, useIsDense } from './table-tools.tsx';

/** Row selection: a checkbox at the start of each row. */
export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly onToggle: (row: Row) => void;
  /** Accessible name of a row's checkbox. */
  readonly label: (row: Row) => string;
}

interface DataTableProps<Row> {
  /** Names the table for screen readers, and its CSV file. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  readonly rowKey: (row: Row) => string | number;
  readonly pageSize?: number;
  /** Number of rows on the server, if `rows` is one page sorted by the server. Undefined: `rows` contains all rows. */
  readonly total?: number;
  /** Address that a row opens in a new tab; null for rows without one. */
  readonly rowHref?: (row: Row) => string | null;
  /** Handles a click on a row that has no address. */
  readonly onRowClick?: (row: Row) => void;
  readonly isHighlighted?: (row: Row) => boolean;
  /** Receives the row under the pointer or with focus inside; null if there is none. */
  readonly onRowHover?: (row: Row | null) => void;
  readonly selection?: RowSelection<Row>;
  readonly csvName?: string;
  /** Comment lines (`#`) before the CSV header, for example the terms of use of the values. */
  readonly csvRemarks?: readonly string[];
  /** All rows for the CSV if the table shows one page of the server; null after a failure that was shown. */
  readonly csvRows?: () => Promise<readonly Row[] | null>;
  /** Count line or heading at the left of the tools. */
  readonly caption?: ReactNode;
  readonly view?: TableView;
  readonly onViewChange?: ChangeView;
  readonly isList?: boolean;
  /** Shown if there are no rows. */
  readonly empty?: string;
}

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

const PAGE_SIZE = 20;

const clamp = (page: number, pageCount: number): number => Math.max(0, Math.min(page, pageCount - 1));

/** Cycles ascending → descending → original order. */
function nextSort(sort: SortOrder | null, id: string): SortOrder | null {
  if (sort?.id !== id) return { id, desc: false };
  return sort.desc ? null : { id, desc: true };
}

/** Click events also have a pointer type, except in old browsers. */
const isFinger = (event: object): boolean => 'pointerType' in event && event.pointerType === 'touch';

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { t } = useTexts(componentTexts);
  const isDense = useIsDense();
  const { rows, columns, rowKey, label, selection, isList, empty = t('noRecords') } = props;
  const pageSize = props.pageSize ?? (isList ? Math.max(1, rows.length) : PAGE_SIZE);
  const [ownView, setOwnView] = useState(DEFAULT_VIEW);
  const view = props.view ?? ownView;
  const changeView: ChangeView = props.onViewChange ?? setOwnView;

  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        header: column.header,
        // The table library sorts undefined last in both directions.
        accessorFn: (row: Row) => valueOf(column, row) ?? undefined,
        sortUndefined: 'last' as const,
        sortFn: (a: { original: Row }, b: { original: Row }) =>
          compareValues(valueOf(column, a.original), valueOf(column, b.original)),
      })),
    [columns],
  );
  const isPage = props.total !== undefined;
  const total = props.total ?? rows.length;
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  const page = clamp(view.page, pageCount);
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: (row: Row) => String(rowKey(row)),
    state: {
      sorting: view.sort ? [view.sort] : [],
      pagination: { pageIndex: page, pageSize },
    },
    autoResetPageIndex: false,
    manualSorting: isPage,
    manualPagination: isPage,
  });
  const isCompact = useIsCompact();
  const visible = columns.filter((column) => isShown(column, view));
  const isNarrow = isCompact && !isList;
  const below = isNarrow ? visible.filter((column) => column.isBelow) : [];
  const shownColumns = isNarrow ? keysFirst(visible.filter((column) => !column.isBelow)) : visible;
  const firstShown = shownColumns[0]?.id;

  const open = (row: Row): void => {
    const href = props.rowHref?.(row);
    if (href) window.open(href, '_blank', 'noopener');
    else props.onRowClick?.(row);
  };
  const clickRow = (row: Row) => (event: MouseEvent<HTMLElement>) => {
    const isOnControl = (event.target as HTMLElement).closest('a, button, label') !== null;
    const isSelecting = (window.getSelection()?.toString() ?? '') !== '';
    if (isOnControl || isSelecting) return;
    // The first tap on a row highlights it, as pointing with a mouse does. The second tap opens it.
    if (isFinger(event.nativeEvent) && props.isHighlighted?.(row) === false && props.onRowHover)
      props.onRowHover(row);
    else open(row);
  };
  /**
   * Ignores fingers: a finger enters every row over which it scrolls, and leaves its row when it is lifted.
   */
  const hover =
    (row: Row | null) =>
    ({ nativeEvent }: PointerEvent): void => {
      if (!isFinger(nativeEvent)) props.onRowHover?.(row);
    };
  const isOpenable = props.rowHref !== undefined || props.onRowClick !== undefined;
  if (isList && rows.length === 0) return <p className={classes.listEmpty}>{empty}</p>;

  return (
    <div className={classes.block}>
      <TableTools
        caption={props.caption}
        columns={columns}
        view={view}
        onViewChange={changeView}
        csvName={props.csvName}
        csvRemarks={props.csvRemarks}
        csvRows={props.csvRows}
        sortedRows={() => table.getSortedRowModel().rows.map((row) => row.original)}
      />
      <ScrollFrame>
        {/* Keyboard users must be able to focus a scrolling region. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={isList ? classes.scroller : classes.scroll} aria-label={label} tabIndex={0}>
          {/* Arrow keys move between the row links; the table only listens to bubbling key events. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <table
            className={isList ? classes.list : classes.table}
            data-dense={isDense || undefined}
            data-below={below.length > 0 || undefined}
            onKeyDown={moveBetweenRows}
          >
            <caption className="uc-visually-hidden">{label}</caption>
            <thead>
              <tr>
                {selection && (
                  <th className={classes.select}>
                    <span className="uc-visually-hidden">{t('choice')}</span>
                  </th>
                )}
                {shownColumns.map((column) => (
                  <ColumnHead
                    key={column.id}
                    column={column}
                    isFirst={column.id === firstShown}
                    sort={view.sort}
                    onSort={() =>
                      changeView((now) => ({ ...now, sort: nextSort(now.sort, column.id), page: 0 }))
                    }
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {table.getRowModel().rows.map((row, place) => (
                <Fragment key={row.id}>
                  <tr
                    onClick={isOpenable || props.onRowHover ? clickRow(row.original) : undefined}
                    onPointerEnter={hover(row.original)}
                    onPointerLeave={hover(null)}
                    onFocus={() => props.onRowHover?.(row.original)}
                    onBlur={() => props.onRowHover?.(null)}
                    data-openable={isOpenable || undefined}
                    data-highlighted={props.isHighlighted?.(row.original) || undefined}
                  >
                    {selection && (
                      <td className={classes.select}>
                        <label>
                          <input
                            type="checkbox"
                            aria-label={selection.label(row.original)}
                            checked={selection.isSelected(row.original)}
                            onChange={() => selection.onToggle(row.original)}
                          />
                        </label>
                      </td>
                    )}
                    {shownColumns.map((column) => {
                      const shown = cellContent(column, row.original, place === 0);
                      const content = column.isWrapped ? (
                        <span className={classes.wrapped}>{shown}</span>
                      ) : (
                        shown
                      );
                      const isFirst = column.id === firstShown;
                      const Cell = isList && isFirst ? 'th' : 'td';
                      return (
                        <Cell
                          key={column.id}
                          scope={Cell === 'th' ? 'row' : undefined}
                          className={column.isActions ? classes.actions : undefined}
                          data-label={isList && !isFirst && !column.isActions ? column.header : undefined}
                          data-first={isFirst || undefined}
                          data-numeric={column.isNumeric || undefined}
                          data-wrapped={column.isWrapped || undefined}
                          style={barStyle(column, row.original)}
                        >
                          {isOpenable && isFirst ? (
                            <RowOpener
                              href={props.rowHref?.(row.original) ?? null}
                              onOpen={() => props.onRowClick?.(row.original)}
                              isButton={props.onRowClick !== undefined}
                            >
                              {content}
                            </RowOpener>
                          ) : (
                            content
                          )}
                        </Cell>
                      );
                    })}
                  </tr>
                  {below.length > 0 && (
                    <tr className={classes.below} onClick={isOpenable ? clickRow(row.original) : undefined}>
                      <td colSpan={shownColumns.length + (selection ? 1 : 0)}>
                        {below.map((column) => (
                          <div key={column.id}>
                            <span className="uc-fine">{column.header}</span>{' '}
                            {cellContent(column, row.original, place === 0)}
                          </div>
                        ))}
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
          {rows.length === 0 && <p className={classes.empty}>{empty}</p>}
        </section>
      </ScrollFrame>
      {pageCount > 1 && (
        <Pager
          label={label}
          page={page}
          pageCount={pageCount}
          pageSize={pageSize}
          total={total}
          onPage={(update) =>
            changeView((now) => ({ ...now, page: clamp(update(clamp(now.page, pageCount)), pageCount) }))
          }
        />
      )}
    </div>
  );
}

interface ColumnHeadProps<Row> {
  readonly column: DataColumn<Row>;
  readonly isFirst: boolean;
  readonly sort: SortOrder | null;
  readonly onSort: () => void;
}

function ColumnHead<Row>({ column, isFirst, sort, onSort }: ColumnHeadProps<Row>) {
  const { header, hint, isActions, isNumeric, value, isSortable = value !== undefined } = column;
  if (!isSortable)
    return (
      <th scope="col" title={hint} data-first={isFirst || undefined} data-numeric={isNumeric || undefined}>
        {isActions ? <span className="uc-visually-hidden">{header}</span> : header}
      </th>
    );
  const direction = sort?.id !== column.id ? 'none' : sort.desc ? 'descending' : 'ascending';
  return (
    <th aria-sort={direction} data-first={isFirst || undefined} data-numeric={isNumeric || undefined}>
      <button type="button" className={classes.sort} title={hint} onClick={onSort}>
        {header}
        <span className={classes.arrow} data-direction={direction} aria-hidden="true" />
      </button>
    </th>
  );
}

/** Length of the bar in a cell, as a share of the column width. */
function barStyle<Row>(column: DataColumn<Row>, row: Row): CSSProperties | undefined {
  const { barEnd } = column;
  const size = valueOf(column, row);
  if (typeof size !== 'number' || size <= 0 || barEnd === undefined) return undefined;
  return { '--bar': `${Math.min(100, (100 * size) / barEnd)}%` } as CSSProperties;
}

/** Only the first number of a column is a tab stop, because all numbers of a column have the same explanation. */
function cellContent<Row>(column: DataColumn<Row>, row: Row, isFirst: boolean): ReactNode {
  if (column.value === undefined) return column.render?.(row);
  const value = column.value(row);
  const isMissing = value === null || value === '';
  const shown = column.render?.(row) ?? (isMissing ? '-' : String(value));
  if (column.method === undefined || isMissing) return shown;
  const method = typeof column.method === 'function' ? column.method(row) : column.method;
  return (
    <SourcedValue name={column.header} method={method} isMadeHere isTabStop={isFirst}>
      {shown}
    </SourcedValue>
  );
}

interface RowOpenerProps {
  readonly href: string | null;
  readonly onOpen: () => void;
  readonly isButton: boolean;
  readonly children: ReactNode;
}

/** Lets keyboard users open a row. */
function RowOpener({ href, onOpen, isButton, children }: RowOpenerProps) {
  const { t } = useTexts(componentTexts);
  if (href !== null)
    return (
      <a
        data-row-opener
        href={href}
        target="_blank"
        rel="noopener"
        className={`uc-link-button ${classes.opener}`}
      >
        {children}
        <span className="uc-visually-hidden"> ({t('opensNewTab')})</span>
      </a>
    );
  if (!isButton) return children;
  return (
    <button type="button" data-row-opener className={`uc-link-button ${classes.opener}`} onClick={onOpen}>
      {children}
    </button>
  );
}

/** The up and down arrow keys move between the row links. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const openers = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[data-row-opener]'));
  const at = openers.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  openers[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
