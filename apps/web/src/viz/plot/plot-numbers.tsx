/** The numbers behind a chart as a table, with every point, for keyboard and screen reader users. */
import { useMemo } from 'react';
import type { DataColumn } from '../../components/data-table/columns.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
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

export function PlotNumbers({ label, table }: PlotNumbersProps) {
  const { rows, columns } = useMemo(
    () => ({
      rows: table.rows.map((values, index): NumberedRow => ({ index, values })),
      columns: table.header.map(
        (header, place): DataColumn<NumberedRow> => ({
          id: String(place),
          header,
          value: ({ values }) => values[place] ?? null,
          isNumeric: table.rows.some((values) => typeof values[place] === 'number'),
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
