/** The numbers behind a chart as a table, with every point, for keyboard and screen reader users. */
import { useMemo } from 'react';
import type { DataColumn } from '../../components/data-table/columns.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { NumberText } from '../../components/number-text.tsx';
import type { CsvValue } from '../../lib/download.ts';
import classes from '../figure.module.css';

export interface PlotTable {
  /** Lines before the header of the file, such as the terms of use of its values. */
  readonly remarks?: readonly string[];
  readonly header: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
}

interface PlotNumbersProps {
  readonly label: string;
  readonly table: PlotTable;
}

interface NumberedRow {
  readonly index: number;
  readonly values: readonly CsvValue[];
}

const PAGE_SIZE = 15;

/** Digits after the decimal point that a column may need, so that points align; the file has all digits. */
const MOST_DECIMALS = 6;

const decimalsOf = (value: number): number => String(value).split('.')[1]?.length ?? 0;

function numericColumn({ rows }: PlotTable, place: number): Partial<DataColumn<NumberedRow>> {
  const numbers = rows.map((values) => values[place]).filter((value) => typeof value === 'number');
  if (numbers.length === 0) return {};
  // Numbers with a power of ten stay as they are.
  if (numbers.some((value) => String(value).includes('e'))) return { isNumeric: true };
  const decimals = Math.min(MOST_DECIMALS, Math.max(...numbers.map(decimalsOf)));
  return {
    isNumeric: true,
    render: ({ values }) => {
      const value = values[place];
      return typeof value === 'number' ? <NumberText value={value} decimals={decimals} /> : value;
    },
  };
}

export function PlotNumbers({ label, table }: PlotNumbersProps) {
  const { rows, columns } = useMemo(
    () => ({
      rows: table.rows.map((values, index): NumberedRow => ({ index, values })),
      columns: table.header.map(
        (header, place): DataColumn<NumberedRow> => ({
          id: String(place),
          header,
          value: ({ values }) => values[place] ?? null,
          ...numericColumn(table, place),
        }),
      ),
    }),
    [table],
  );
  return (
    <div className={classes.numbers}>
      <DataTable
        label={label}
        rows={rows}
        columns={columns}
        rowKey={({ index }) => index}
        pageSize={PAGE_SIZE}
      />
    </div>
  );
}
