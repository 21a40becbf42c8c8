/** Columns and view state of the site's tables, and the columns that most tables have. */
import type { ReactNode } from 'react';
import { Formula } from '../formula.tsx';
import { NumberText } from '../number-text.tsx';
import type { MethodId } from '../provenance/methods.ts';
import { SpaceGroup } from '../space-group.tsx';

export type CellValue = string | number | boolean | null;

export interface DataColumn<Row> {
  readonly id: string;
  /** Column heading, also the heading in the CSV file. */
  readonly header: string;
  /** What the column means, in one sentence: shown when the pointer rests on the heading. */
  readonly hint?: string | undefined;
  /** Value for sorting and export. Null means missing and sorts last. A column without `value` is display only. */
  readonly value?: (row: Row) => CellValue;
  /** What the cell shows; defaults to the value as text. */
  readonly render?: (row: Row) => ReactNode;
  /** Align to the end of the cell, for numbers. */
  readonly isNumeric?: boolean;
  /** Long text may wrap in list view. */
  readonly isWrapped?: boolean;
  /** Column of row actions, at the end of the row. */
  readonly isActions?: boolean;
  /** Value at which the bar under the number fills the cell; the bar shows the size at a glance. */
  readonly barEnd?: number;
  readonly isHiddenByDefault?: boolean;
  /** False if the server cannot sort by the column. */
  readonly isSortable?: boolean;
  /**
   * Visitors judge a row by this column. On phones such columns come first, where they are visible without
   * scrolling.
   */
  readonly isKey?: boolean;
  /** A long text that a phone shows under its row, where it is readable without scrolling sideways. */
  readonly isBelow?: boolean;
  /** Method behind the numbers, for the column or for each row. A click on a number opens it. */
  readonly method?: MethodId | ((row: Row) => MethodId);
}

/** eV/atom above the hull at which the bar is full: few compounds with a higher energy have been synthesised. */
export const HULL_BAR_END = 0.2;
/** eV. Few crystals have a wider band gap. */
export const GAP_BAR_END = 10;

export interface SortOrder {
  readonly id: string;
  readonly desc: boolean;
}

/** State a visitor can change. Pages keep it in the address, or the table keeps it itself. */
export interface TableView {
  readonly sort: SortOrder | null;
  /** Zero-based. */
  readonly page: number;
  /** Ids of the visible columns; null for the default ones. */
  readonly shown: readonly string[] | null;
}

/** Takes an update function instead of a new view, so that several clicks in quick succession all count. */
export type ChangeView = (change: (now: TableView) => TableView) => void;

export const DEFAULT_VIEW: TableView = { sort: null, page: 0, shown: null };

/** Names joined by dots: `band_gap.[bulk_modulus / density]`. */
export const splitNames = (text: string): readonly string[] => text.match(/\[[^\]]*\]|[^.]+/g) ?? [];

/** The view in an address: `sort=-band_gap&page=2&columns=formula.band_gap`. Invalid values fall back to the defaults. */
export function readView(parameters: URLSearchParams, usual: SortOrder | null = null): TableView {
  const [, minus, id] = /^(-?)(.+)$/.exec(parameters.get('sort') ?? '') ?? [];
  const page = Number(parameters.get('page') ?? 1);
  const columns = parameters.get('columns');
  return {
    sort: id === undefined || id === '-' ? usual : { id, desc: minus === '-' },
    page: Number.isInteger(page) && page > 0 ? page - 1 : 0,
    shown: columns ? splitNames(columns) : null,
  };
}

export function writeView(
  parameters: URLSearchParams,
  { sort, page, shown }: TableView,
  usual: SortOrder | null = null,
): void {
  if (sort && (sort.id !== usual?.id || sort.desc !== usual.desc))
    parameters.set('sort', (sort.desc ? '-' : '') + sort.id);
  if (page > 0) parameters.set('page', String(page + 1));
  if (shown !== null) parameters.set('columns', shown.join('.'));
}

export const isShown = <Row,>(column: DataColumn<Row>, view: TableView): boolean =>
  view.shown === null ? column.isHiddenByDefault !== true : view.shown.includes(column.id);

/** The columns in the order of a phone: the key columns, then the others. */
export const keysFirst = <Row,>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] => [
  ...columns.filter(({ isKey }) => isKey),
  ...columns.filter(({ isKey }) => !isKey),
];

export const valueOf = <Row,>(column: DataColumn<Row>, row: Row): CellValue => column.value?.(row) ?? null;

/** Ascending order of two values. Digits in text compare as numbers, so Li2 sorts before Li10. */
export function compareValues(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return collator.compare(String(a), String(b));
}

const collator = new Intl.Collator('en', { numeric: true });

interface NumberColumn<Row> extends Partial<DataColumn<Row>> {
  /** Digits after the decimal point; 3 by default. */
  readonly decimals?: number | undefined;
}

/** Numbers with a fixed number of decimals. */
export const numberColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => number | null | undefined,
  { decimals = 3, ...more }: NumberColumn<Row> = {},
): DataColumn<Row> => ({
  id,
  header,
  value: (row) => value(row) ?? null,
  render: (row) => <NumberText value={value(row)} decimals={decimals} />,
  isNumeric: true,
  ...more,
});

export const formulaColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => string,
  more: Partial<DataColumn<Row>> = {},
): DataColumn<Row> => ({ id, header, value, render: (row) => <Formula text={value(row)} />, ...more });

export const spaceGroupColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => string,
  more: Partial<DataColumn<Row>> = {},
): DataColumn<Row> => ({ id, header, value, render: (row) => <SpaceGroup symbol={value(row)} />, ...more });
