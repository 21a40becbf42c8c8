/** A table of a release as a file. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createGzip } from 'node:zlib';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';

// ── A table of a dump: its columns once, for every format ──

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

// ── JSON Lines, packed by gzip while they are written ──

export function jsonLinesFile<Row>(path: string, lineOf: (row: Row) => unknown): RowFile<Row> {
  const packed = createGzip();
  const file = packed.pipe(createWriteStream(path));
  const failed = new Promise<never>((_, stop) => {
    file.on('error', stop);
    packed.on('error', stop);
  });
  failed.catch(() => undefined); // heard by whoever waits below
  let count = 0;
  return {
    async add(row) {
      count++;
      if (!packed.write(`${JSON.stringify(lineOf(row))}\n`))
        await Promise.race([once(packed, 'drain'), failed]);
    },
    async finish() {
      packed.end();
      await Promise.race([once(file, 'close'), failed]);
      return count;
    },
  };
}

// ── A table as Parquet, a group of rows at a time ──

/** Rows that are in memory at once. */
const GROUP_ROWS = 5000;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const PLAIN: Readonly<Record<Exclude<ColumnType, 'texts'>, Omit<SchemaElement, 'name'>>> = {
  int: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Text that holds JSON: readers that know no such type would show bytes.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
};

function schemaOf({ name, type }: Column<never>): SchemaElement[] {
  if (type !== 'texts') return [{ name, repetition_type: 'OPTIONAL', ...PLAIN[type] }];
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...PLAIN.text },
  ];
}

const valueOf = (type: ColumnType, value: unknown): unknown =>
  value === null || value === undefined ? null : type === 'json' ? JSON.stringify(value) : value;

/** @param facts written into the file: release, licence, text to cite */
export function parquetFile<Row>(
  path: string,
  { columns }: Table<Row>,
  facts: Readonly<Record<string, string>>,
): RowFile<Row> {
  const described = Object.fromEntries(columns.map(({ name, unit, about }) => [name, { unit, about }]));
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaOf)],
    kvMetadata: [
      ...Object.entries(facts).map(([key, value]) => ({ key, value })),
      { key: 'columns', value: JSON.stringify(described) },
    ],
    createdBy: 'unitcell',
  });
  let waiting: Row[] = [];
  let count = 0;
  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const columnData = columns.map(({ name, type, of }) => ({
      name,
      data: waiting.map((row) => valueOf(type, of(row))),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    waiting = [];
  }
  return {
    async add(row) {
      waiting.push(row);
      count++;
      if (waiting.length === GROUP_ROWS) await flush();
    },
    async finish() {
      await flush();
      await writer.finish();
      return count;
    },
  };
}
