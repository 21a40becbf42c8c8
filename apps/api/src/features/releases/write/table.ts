/** A table of a dump: its columns once, for every format. */

export type ColumnType = 'int' | 'number' | 'flag' | 'text' | 'texts' | 'json';

export interface Column<Row> {
  readonly name: string;
  readonly type: ColumnType;
  readonly unit?: string;
  readonly about: string;
  /** null where it is not known. */
  readonly of: (row: Row) => unknown;
}

export interface Table<Row> {
  readonly name: string;
  /** What a row is. */
  readonly about: string;
  readonly columns: readonly Column<Row>[];
}

/** A file that takes rows one by one and keeps few of them in memory. */
export interface RowFile<Row> {
  add(row: Row): Promise<void>;
  /** Ends the file; how many rows it has. */
  finish(): Promise<number>;
}
