/** A property table (CSV) that is joined to crystals by id: `import --properties FILE.csv`. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import type { SourceUnit } from '../draft/drafts-of-unit.ts';
import { valueAt } from '../map/import-map.ts';
import { unpacked, unpackedName, UnreadableSource } from './unpack.ts';

/** Names of id columns; the first one present in the table is used. */
const ID_COLUMNS = ['MaterialId', 'material_id', 'id', 'source_id', 'jid', 'auid', 'mat_id', 'file'];
/** Paths of the ids in documents. */
const ID_PATHS = ['source.id', 'material_id', 'entry_id', 'id', 'jid', 'auid', 'data.mat_id'];
/** Separates the cells of a row. It does not occur in text. */
const SEPARATOR = '\u001F';

export interface PropertyTable {
  /** Path, size and modification time of the file. */
  readonly key: string;
  /** Rows of the table, and how many of them were joined. */
  readonly counts: { readonly rows: number; joined: number };
  /** Returns the unit with its row, or the unit unchanged if the table has no row for it. */
  join(unit: SourceUnit): SourceUnit;
}

function idOf({ format, label, text }: SourceUnit): string | undefined {
  if (format !== 'json') return basename(unpackedName(label)).replace(/\.\w+$/, '');
  try {
    const document: unknown = JSON.parse(text);
    const found = ID_PATHS.map((at) => valueAt(document, at)).find(
      (value) => typeof value === 'string' || typeof value === 'number',
    );
    return found === undefined ? undefined : String(found);
  } catch {
    // Invalid JSON is refused later by the parser.
    return undefined;
  }
}

/** @throws UnreadableSource when it is not a table with an id column, or an id occurs twice */
export async function readPropertyTable(path: string): Promise<PropertyTable> {
  const info = await stat(path).catch(() => null);
  if (!info?.isFile()) throw new UnreadableSource(`${path} does not exist`);
  const refuse: (what: string) => never = (what) => {
    throw new UnreadableSource(`${path}: ${what}`);
  };
  const rows = new Map<string, string>();
  let header: readonly string[] | null = null;
  let idAt = -1;
  // Errors of reading and unpacking are thrown when the records are read.
  const records = pipeline(
    unpacked(path, createReadStream(path)),
    parse({ bom: true, skipEmptyLines: true, trim: true }),
    () => undefined,
  );
  try {
    for await (const record of records as AsyncIterable<readonly string[]>) {
      if (header === null) {
        header = record;
        const column = ID_COLUMNS.find((name) => header!.includes(name));
        if (column === undefined) refuse(`no column of ids; expected one named ${ID_COLUMNS.join(', ')}`);
        idAt = header.indexOf(column);
        continue;
      }
      const id = record[idAt]!;
      const row = record.join(SEPARATOR);
      if (rows.has(id) && rows.get(id) !== row) refuse(`${id} occurs twice with different values`);
      rows.set(id, row);
    }
  } catch (error) {
    if (error instanceof UnreadableSource) throw error;
    refuse((error as Error).message);
  }
  const names = header ?? refuse('it is empty');
  const counts = { rows: rows.size, joined: 0 };
  return {
    key: `${path}:${info.size}:${info.mtimeMs}`,
    counts,
    join(unit) {
      const id = idOf(unit);
      const row = id === undefined ? undefined : rows.get(id);
      if (row === undefined) return unit;
      counts.joined++;
      const cells = row.split(SEPARATOR);
      return { ...unit, row: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) };
    },
  };
}
