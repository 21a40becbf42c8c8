/** Reads the catalogue into columns. Runs in a thread with a connection of its own, in one snapshot of the database. */
import pg from 'pg';
import { fieldOf, FIELD_NAMES, predictedFields } from '@unitcell/material';
import { FEDERATED_TEXTS, type FederatedText } from '../../../domain/federated-texts.ts';
import { DERIVED_FIELDS, isScaleField, SCALE_FIELDS, WINDOW_FIELDS } from '../screen-fields.ts';
import {
  type Column,
  flagColumn,
  isColumn,
  numberColumn,
  type ScreenIndex,
  shared,
  textColumn,
  withLists,
} from './screen-index.ts';

export interface ReadRequest {
  readonly databaseUrl: string;
  /** `versions` of the index there is: nothing is read while they hold. */
  readonly versions: string | null;
  /** With the texts that federated clients ask for. */
  readonly isFederated: boolean;
}

/** Rows read at a time. */
const PAGE = 20_000;
const WORDS = 4;

/** Says of all rows by their versions (xmin) and of the rebuilds whether anything changed. */
const VERSIONS = `SELECT
  (SELECT coalesce(max(id), 0) FROM release WHERE finished_at IS NOT NULL) AS release,
  (SELECT count(*)::int FROM material) AS rows,
  (SELECT concat(count(*), ' ', sum(hashint8(struct_id::bigint << 32 | xmin::text::bigint))) FROM material) AS materials,
  (SELECT concat(count(*), ' ', sum(hashint8(struct_id::bigint << 32 | xmin::text::bigint))) FROM material_energy) AS energies,
  (SELECT concat(count(*), ' ', sum(hashint8(struct_id::bigint << 32 | xmin::text::bigint))) FROM material_prediction) AS predictions,
  (SELECT concat(count(*), ' ', sum(struct_id)) FROM density_of_states) AS densities,
  (SELECT concat(count(*), ' ', sum(struct_id)) FROM topology) AS topologies,
  (SELECT concat(count(*), ' ', sum(hashint8(struct_id::bigint << 32 | xmin::text::bigint))) FROM structure_arrangement) AS arrangements,
  (SELECT concat(count(*), ' ', sum(hashint8(struct_id::bigint << 32 | xmin::text::bigint))) FROM electrochemical_window) AS windows`;

/** How the values of a column are gathered. */
interface Gatherer {
  readonly sql: string;
  put(row: number, value: unknown): void;
  column(): Column;
}

function numbers(sql: string, rows: number, isWhole: boolean): Gatherer {
  const values = isWhole ? shared.ints(rows) : shared.floats(rows);
  return {
    sql,
    put: (row, value) => {
      values[row] = value === null ? Number.NaN : Number(value);
    },
    column: () => numberColumn(values),
  };
}

function flags(sql: string, rows: number): Gatherer {
  const values = shared.bytes(rows);
  return {
    sql,
    put: (row, value) => {
      values[row] = value === true ? 1 : 0;
    },
    column: () => flagColumn(values),
  };
}

function texts(
  sql: string,
  rows: number,
  { of = (text) => text, isList = false }: Partial<Pick<FederatedText, 'of' | 'isList'>> = {},
): Gatherer {
  const places = new Map<string, number>();
  const codes = new Uint32Array(rows);
  return {
    sql,
    put: (row, value) => {
      const text = typeof value === 'string' ? of(value) : null;
      if (text === null) return;
      let code = places.get(text);
      if (code === undefined) places.set(text, (code = places.size + 1));
      codes[row] = code;
    },
    column: () => {
      const column = textColumn([...places.keys()], codes);
      return isList ? withLists(column) : column;
    },
  };
}

function gatherers(rows: number, isFederated: boolean): ReadonlyMap<string, Gatherer> {
  const made = new Map<string, Gatherer>();
  for (const name of FIELD_NAMES) {
    const { column, kind } = fieldOf(name);
    if (!isColumn(column) || isScaleField(column)) continue;
    const sql = `material.${column}`;
    if (kind === 'flag') made.set(column, flags(sql, rows));
    else if (kind === 'number' || kind === 'count' || kind === 'id')
      made.set(column, numbers(sql, rows, kind !== 'number'));
    else made.set(column, texts(sql, rows));
  }
  for (const [name, { type, sql }] of Object.entries(DERIVED_FIELDS))
    made.set(name, type === 'flag' ? flags(sql, rows) : texts(sql, rows));
  if (isFederated)
    for (const [name, text] of Object.entries(FEDERATED_TEXTS)) made.set(name, texts(text.sql, rows, text));
  return made;
}

/** Rows of a table in the order of their ids, a page at a time. */
async function* pages(client: pg.Client, select: string, table: string): AsyncGenerator<unknown[][]> {
  await client.query(
    `DECLARE pages NO SCROLL CURSOR FOR SELECT ${select} FROM ${table} ORDER BY ${table}.struct_id`,
  );
  while (true) {
    const { rows } = await client.query<unknown[]>({ text: `FETCH ${PAGE} FROM pages`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE pages');
}

async function readMaterials(client: pg.Client, rows: number, isFederated: boolean) {
  const columns = [...gatherers(rows, isFederated)];
  const ids = shared.ints(rows);
  const elements = shared.words(WORDS * rows);
  const symbols: string[] = [];
  const places = new Map<string, number>();
  const select = ['struct_id', 'elements', ...columns.map(([, { sql }]) => sql)].join(', ');
  let row = 0;
  for await (const page of pages(client, select, 'material'))
    for (const [id, list, ...values] of page) {
      ids[row] = Number(id);
      for (const symbol of list as string[]) {
        let place = places.get(symbol);
        if (place === undefined) {
          place = symbols.push(symbol) - 1;
          places.set(symbol, place);
          if (place >= 32 * WORDS)
            throw new RangeError(`more than ${32 * WORDS} different elements: ${symbol}`);
        }
        elements[WORDS * row + (place >> 5)]! |= 1 << (place & 31);
      }
      for (const [index, [, gatherer]] of columns.entries()) gatherer.put(row, values[index]);
      row++;
    }
  return {
    ids,
    elements,
    symbols,
    columns: Object.fromEntries(columns.map(([name, gatherer]) => [name, gatherer.column()])),
  };
}

/** The columns of what is predicted: by themselves, because most questions do not ask for them. */
async function readPredictions(client: pg.Client, ids: Int32Array): Promise<ScreenIndex['columns']> {
  const columns = predictedFields.map(() => shared.floats(ids.length).fill(Number.NaN));
  const select = ['struct_id', ...predictedFields.map(({ column }) => column)].join(', ');
  let row = 0;
  for await (const page of pages(client, select, 'material_prediction'))
    for (const [id, ...values] of page) {
      while (row < ids.length && ids[row]! < Number(id)) row++;
      if (ids[row] !== id) continue;
      for (const [place, value] of values.entries()) if (value !== null) columns[place]![row] = Number(value);
    }
  return Object.fromEntries(predictedFields.map(({ name }, place) => [name, numberColumn(columns[place]!)]));
}

/** What is known on each scale: a column is made when the first value of it comes. */
async function readScales(client: pg.Client, ids: Int32Array): Promise<ScreenIndex['scales']> {
  const scales = new Map<string, Map<string, Float64Array>>();
  const put = (scale: string, name: string, row: number, value: unknown): void => {
    if (value === null) return;
    let columns = scales.get(scale);
    if (!columns) scales.set(scale, (columns = new Map()));
    let values = columns.get(name);
    if (!values) columns.set(name, (values = shared.floats(ids.length).fill(Number.NaN)));
    values[row] = Number(value);
  };
  /** Calls `each` with the place of every row of the table among the ids. */
  const readTable = async (
    table: string,
    columns: readonly string[],
    each: (row: number, functional: string, values: readonly unknown[]) => void,
  ): Promise<void> => {
    let row = 0;
    for await (const page of pages(client, ['struct_id', 'functional', ...columns].join(', '), table))
      for (const [id, functional, ...values] of page) {
        while (row < ids.length && ids[row]! < Number(id)) row++;
        if (ids[row] === id) each(row, String(functional), values);
      }
  };
  await readTable('material_energy', SCALE_FIELDS, (row, functional, energies) => {
    for (const [place, field] of SCALE_FIELDS.entries()) put(functional, field, row, energies[place]);
  });
  const windows = [...WINDOW_FIELDS];
  const wanted = [...new Set(windows.map(([, { sql }]) => sql))];
  await readTable(
    'electrochemical_window',
    ['working_ion', ...wanted],
    (row, functional, [ion, ...values]) => {
      for (const [name, field] of windows)
        if (field.ion === ion) put(functional, name, row, values[wanted.indexOf(field.sql)]);
    },
  );
  return Object.fromEntries(
    [...scales].map(([scale, columns]) => [
      scale,
      Object.fromEntries([...columns].map(([name, values]) => [name, numberColumn(values)])),
    ]),
  );
}

async function read(
  client: pg.Client,
  { versions: known, isFederated }: ReadRequest,
): Promise<ScreenIndex | null> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows: found } = await client.query(VERSIONS);
  const { release, rows, ...counts } = found[0] as { release: number; rows: number } & Record<string, string>;
  const versions = JSON.stringify([release, ...Object.values(counts)]);
  if (versions === known) return null;
  const materials = await readMaterials(client, rows, isFederated);
  const columns = { ...materials.columns, ...(await readPredictions(client, materials.ids)) };
  const scales = await readScales(client, materials.ids);
  return { made: Date.now() + Math.random(), release, versions, ...materials, columns, scales };
}

/** null when nothing changed. */
export async function readIndex(
  request: ReadRequest,
): Promise<{ readonly state: ScreenIndex | null; readonly milliseconds: number }> {
  const begun = performance.now();
  const client = new pg.Client({ connectionString: request.databaseUrl });
  // A connection that breaks between two questions says so here; the next question reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const state = await read(client, request);
    return { state, milliseconds: Math.round(performance.now() - begun) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
