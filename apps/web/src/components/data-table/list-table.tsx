/** A short list: a table that is neither sorted nor exported. Its first column names the row. */
import type { ReactNode } from 'react';
import { DataTable } from './data-table.tsx';

type ListColumn<Row> = readonly [
  header: string,
  cell: (row: Row) => ReactNode,
  kind?: 'isNumeric' | 'isWrapped' | 'isActions',
];

interface ListTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Shown if there are no rows. */
  readonly empty?: string;
  readonly columns: readonly ListColumn<Row>[];
}

export const ListTable = <Row extends object>({ columns, ...list }: ListTableProps<Row>) => (
  <DataTable
    isList
    {...list}
    columns={columns.map(([header, render, kind]) => ({
      id: header,
      header,
      render,
      ...(kind && { [kind]: true }),
    }))}
  />
);
