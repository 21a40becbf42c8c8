/** What a table of the site is made of. */
import type { ReactNode } from 'react';
import type { MethodId } from '../provenance/methods.ts';

export type CellValue = string | number | boolean | null;

export interface DataColumn<Row> {
  readonly id: string;
  /** Column heading, also the heading in the CSV file. */
  readonly header: string;
  /** What is sorted and exported; null is missing and always sorts last. A column without it is only shown. */
  readonly value?: (row: Row) => CellValue;
  /** What is shown; the value as text when absent. */
  readonly render?: (row: Row) => ReactNode;
  /** Numbers stand at the end of their cell. */
  readonly isNumeric?: boolean;
  /** Long texts take several lines of a list. */
  readonly isWrapped?: boolean;
  /** What can be done to a row of a list, at its end. */
  readonly isActions?: boolean;
  /** Value whose bar fills the cell: a bar under the number shows its size at a glance. */
  readonly barEnd?: number;
  readonly isHiddenByDefault?: boolean;
  /** How its numbers come about, of the column or of each row: each opens what is behind it. */
  readonly method?: MethodId | ((row: Row) => MethodId);
}

/** eV/atom above the hull at which its bar fills the cell: hardly anything above it has been made. */
export const HULL_BAR_END = 0.2;
/** eV. Few crystals have a wider band gap. */
export const GAP_BAR_END = 10;

export interface SortOrder {
  readonly id: string;
  readonly desc: boolean;
}

/** What a visitor changes in a table; pages keep it in the address or let the table keep it. */
export interface TableView {
  readonly sort: SortOrder | null;
  /** From 0. */
  readonly page: number;
  /** Ids of shown columns; null for the default ones. */
  readonly shown: readonly string[] | null;
}

/** Takes what is to become of a view instead of the new one: of several clicks in one moment none is lost. */
export type ChangeView = (change: (now: TableView) => TableView) => void;

export const DEFAULT_VIEW: TableView = { sort: null, page: 0, shown: null };

export const isShown = <Row>(column: DataColumn<Row>, view: TableView): boolean =>
  view.shown === null ? column.isHiddenByDefault !== true : view.shown.includes(column.id);

export const valueOf = <Row>(column: DataColumn<Row>, row: Row): CellValue => column.value?.(row) ?? null;

/** Rising order of two values; text with digits by number, so that Li2 stands before Li10. */
export function compareValues(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return collator.compare(String(a), String(b));
}

const collator = new Intl.Collator('en', { numeric: true });
