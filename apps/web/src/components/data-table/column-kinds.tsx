/** Columns of the kinds that most tables have. */
import { Formula } from '../formula.tsx';
import { NumberText } from '../number-text.tsx';
import { SpaceGroup } from '../space-group.tsx';
import type { DataColumn } from './columns.ts';

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
