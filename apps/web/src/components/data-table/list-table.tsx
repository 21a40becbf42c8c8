/** A short list: a table that is neither sorted nor exported. Its first column names the row. */
import type { ReactNode } from 'react';
import type { DataColumn } from './columns.tsx';
import { DataTable } from './data-table.tsx';

type MakeColumn<Row> = (
  header: string,
  cell: (row: Row) => ReactNode,
  kind?: 'isNumeric' | 'isWrapped' | 'isActions',
) => DataColumn<Row>;

interface ListTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Shown if there are no rows. */
  readonly empty?: string;
  readonly columns: (column: MakeColumn<Row>) => readonly DataColumn<Row>[];
}

export const ListTable = <Row extends object>({ columns, ...list }: ListTableProps<Row>) => (
  <DataTable
    isList
    {...list}
    columns={columns((header, render, kind) => ({
      id: header,
      header,
      render,
      ...(kind && { [kind]: true }),
    }))}
  />
);
