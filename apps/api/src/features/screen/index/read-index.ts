/** Reads the catalogue into columns. Runs in a thread with its own connection, in one database snapshot. */
import { FIELD_NAMES, fields, predictedFieldsBy } from '@unitcell/material';
import { type Compilable, type Expression, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { FEDERATED_TEXTS, type FederatedText } from '../../../domain/federated-texts.ts';
import type { DB } from '../../../generated/tables/tables.ts';
import type { Db } from '../../../infra/database.ts';
import { KEEP_ALIVE } from '../../../infra/notifications.ts';
import { columnsOf } from '../../../infra/sql.ts';
import {
  DERIVED_FIELDS,
  ION_ELECTRODE_FIELDS,
  isScaleField,
  SCALE_FIELDS,
  WINDOW_FIELDS,
} from '../screen-fields.ts';
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
  /** `versions` of the existing index. If they are unchanged, nothing is read. */
  readonly versions: string | null;
  /** True if the texts for federated clients are included. */
  readonly isFederated: boolean;
}

/** Rows per page. */
const PAGE = 20_000;
const WORDS = 4;

const material = columnsOf('material');

/** Row versions (xmin) of all materials and the last rebuild, to detect changes. */
function versionsOf(tx: Db) {
  const rowVersions = (
    table:
      | 'material'
      | 'material_energy'
      | 'material_prediction'
      | 'potential_prediction'
      | 'structure_arrangement'
      | 'electrochemical_window',
  ) => {
    const [id, version] = [columnsOf(table)('struct_id'), sql.ref(`${table}.xmin`)];
    return tx
      .selectFrom(table)
      .select(
        sql<string>`concat(count(*), ' ', sum(hashint8(${id}::bigint << 32 | ${version}::text::bigint)))`.as(
          'v',
        ),
      );
  };
  const rowIds = (table: 'density_of_states' | 'topology') =>
    tx
      .selectFrom(table)
      .select(sql<string>`concat(count(*), ' ', sum(${columnsOf(table)('struct_id')}))`.as('v'));
  const electrodeVersions = tx
    .selectFrom('electrode')
    .select(
      sql<string>`concat(count(*), ' ', sum(hashint8(${columnsOf('electrode')('discharged_id')}::bigint << 32 | ${sql.ref('electrode.xmin')}::text::bigint)))`.as(
        'v',
      ),
    );
  return tx
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('release')
        .select(({ fn }) => fn.coalesce(fn.max('id'), sql.lit(0)).as('release'))
        .where('finished_at', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('release'),
      selectFrom('material').select(sql<number>`count(*)::int`.as('rows')).$asScalar().$notNull().as('rows'),
      rowVersions('material').as('materials'),
      rowVersions('material_energy').as('energies'),
      rowVersions('material_prediction').as('predictions'),
      rowVersions('potential_prediction').as('potentials'),
      rowIds('density_of_states').as('densities'),
      rowIds('topology').as('topologies'),
      rowVersions('structure_arrangement').as('arrangements'),
      rowVersions('electrochemical_window').as('windows'),
      electrodeVersions.as('electrodes'),
    ])
    .executeTakeFirstOrThrow();
}

/** Collects the values of a column. */
interface Gatherer {
  readonly selected: Expression<unknown>;
  put(row: number, value: unknown): void;
  column(): Column;
}

function numbers(selected: Expression<unknown>, rows: number, isWhole = false): Gatherer {
  const values = isWhole ? shared.ints(rows) : shared.floats(rows).fill(Number.NaN);
  return {
    selected,
    put: (row, value) => {
      values[row] = value === null ? Number.NaN : Number(value);
    },
    column: () => numberColumn(values),
  };
}

function flags(selected: Expression<unknown>, rows: number): Gatherer {
  const values = shared.bytes(rows);
  return {
    selected,
    put: (row, value) => {
      values[row] = value === true ? 1 : 0;
    },
    column: () => flagColumn(values),
  };
}

function texts(
  selected: Expression<unknown>,
  rows: number,
  { of = (text) => text, isList = false }: Partial<Pick<FederatedText, 'of' | 'isList'>> = {},
): Gatherer {
  const places = new Map<string, number>();
  const codes = new Uint32Array(rows);
  return {
    selected,
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
    const { column, kind } = fields[name];
    if (!isColumn(column) || isScaleField(column)) continue;
    const selected = material(column);
    if (kind === 'flag') made.set(column, flags(selected, rows));
    else if (kind === 'number' || kind === 'count' || kind === 'id')
      made.set(column, numbers(selected, rows, kind !== 'number'));
    else made.set(column, texts(selected, rows));
  }
  for (const [name, field] of Object.entries(DERIVED_FIELDS))
    made.set(name, (field.type === 'flag' ? flags : texts)(field.sql, rows));
  if (isFederated)
    for (const [name, text] of Object.entries(FEDERATED_TEXTS)) made.set(name, texts(text.sql, rows, text));
  return made;
}

/** Rows of a query as arrays, one page at a time. */
async function* pages(client: pg.ClientBase, query: Compilable): AsyncGenerator<unknown[][]> {
  const { sql: text, parameters } = query.compile();
  await client.query(`DECLARE pages NO SCROLL CURSOR FOR ${text}`, [...parameters]);
  while (true) {
    const { rows } = await client.query<unknown[]>({ text: `FETCH ${PAGE} FROM pages`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE pages');
}

/** The connection, and Kysely on this connection. */
interface Source {
  readonly client: pg.ClientBase;
  readonly db: Db;
}

async function readMaterials({ client, db }: Source, rows: number, isFederated: boolean) {
  const columns = [...gatherers(rows, isFederated)];
  const query = db
    .selectFrom('material')
    .select(['struct_id', 'elements'])
    .select(columns.map(([, gatherer], place) => sql`${gatherer.selected}`.as(String(place))))
    .orderBy('struct_id');
  const ids = shared.ints(rows);
  const elements = shared.words(WORDS * rows);
  const symbols: string[] = [];
  const places = new Map<string, number>();
  let row = 0;
  for await (const page of pages(client, query))
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

/** The prediction columns, read separately because most queries do not need them. */
async function readPredictions(
  client: pg.ClientBase,
  ids: Int32Array,
  query: Compilable,
  names: readonly string[],
): Promise<ScreenIndex['columns']> {
  const columns = names.map(() => shared.floats(ids.length).fill(Number.NaN));
  let row = 0;
  for await (const page of pages(client, query))
    for (const [id, ...values] of page) {
      while (row < ids.length && ids[row]! < Number(id)) row++;
      if (ids[row] !== id) continue;
      for (const [place, value] of values.entries()) if (value !== null) columns[place]![row] = Number(value);
    }
  return Object.fromEntries(names.map((name, place) => [name, numberColumn(columns[place]!)]));
}

/** The columns of each scale; a column is created with its first value. */
async function readScales({ client, db }: Source, ids: Int32Array): Promise<ScreenIndex['scales']> {
  const scales = new Map<string, Map<string, Gatherer>>();
  type Gather = (selected: Expression<unknown>, rows: number) => Gatherer;
  const put = (scale: string, name: string, row: number, value: unknown, gather: Gather = numbers): void => {
    if (value === null) return;
    let columns = scales.get(scale);
    if (!columns) scales.set(scale, (columns = new Map()));
    let column = columns.get(name);
    if (!column) columns.set(name, (column = gather(sql.ref(name), ids.length)));
    column.put(row, value);
  };
  /** Calls `each` with the position of every row among the ids. */
  const readTable = async (
    query: Compilable<{ id: number; functional: string }>,
    each: (row: number, functional: string, values: readonly unknown[]) => void,
  ): Promise<void> => {
    let row = 0;
    for await (const page of pages(client, query))
      for (const [id, functional, ...values] of page) {
        while (row < ids.length && ids[row]! < Number(id)) row++;
        if (ids[row] === id) each(row, String(functional), values);
      }
  };
  const energies = db
    .selectFrom('material_energy')
    .select(['struct_id as id', 'functional', ...SCALE_FIELDS]);
  await readTable(energies.orderBy('struct_id'), (row, functional, values) => {
    for (const [place, field] of SCALE_FIELDS.entries()) put(functional, field, row, values[place]);
  });
  const fieldsOfWindows = [...WINDOW_FIELDS];
  const wanted = [...new Set(fieldsOfWindows.map(([, field]) => field.sql))];
  const windows = db
    .selectFrom('electrochemical_window')
    .select(['struct_id as id', 'functional', 'working_ion'])
    .select(wanted.map((number, place) => number.as(String(place))));
  await readTable(windows.orderBy('struct_id'), (row, functional, [ion, ...values]) => {
    for (const [name, field] of fieldsOfWindows)
      if (field.ion === ion) put(functional, name, row, values[wanted.indexOf(field.sql)]);
  });
  const fieldsOfElectrodes = [...ION_ELECTRODE_FIELDS];
  const columns = [...new Set(fieldsOfElectrodes.map(([, { column }]) => column))];
  const electrodes = db
    .selectFrom('electrode')
    .select(['discharged_id as id', 'functional', 'working_ion', ...columns])
    .orderBy('discharged_id');
  await readTable(electrodes, (row, functional, [ion, ...values]) => {
    for (const [name, field] of fieldsOfElectrodes)
      if (field.ion === ion)
        put(
          functional,
          name,
          row,
          values[columns.indexOf(field.column)],
          field.type === 'text' ? texts : numbers,
        );
  });
  return Object.fromEntries(
    [...scales].map(([scale, gathered]) => [
      scale,
      Object.fromEntries([...gathered].map(([name, gatherer]) => [name, gatherer.column()])),
    ]),
  );
}

async function read(
  source: Source,
  { versions: known, isFederated }: ReadRequest,
): Promise<ScreenIndex | null> {
  await source.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { release, rows, ...counts } = await versionsOf(source.db);
  const versions = JSON.stringify([release, ...Object.values(counts)]);
  if (versions === known) return null;
  const materials = await readMaterials(source, rows, isFederated);
  const [byNetwork, byPotential] = [predictedFieldsBy('prediction'), predictedFieldsBy('potential')];
  const columns = {
    ...materials.columns,
    ...(await readPredictions(
      source.client,
      materials.ids,
      source.db
        .selectFrom('material_prediction')
        .select(['struct_id', ...byNetwork.map(({ column }) => column)])
        .orderBy('struct_id'),
      byNetwork.map(({ name }) => name),
    )),
    ...(await readPredictions(
      source.client,
      materials.ids,
      source.db
        .selectFrom('potential_prediction')
        .select(['struct_id', ...byPotential.map(({ column }) => column)])
        .orderBy('struct_id'),
      byPotential.map(({ name }) => name),
    )),
  };
  const scales = await readScales(source, materials.ids);
  return { made: Date.now() + Math.random(), release, versions, ...materials, columns, scales };
}

/** Returns the index; null when nothing changed. */
export async function readIndex(
  request: ReadRequest,
): Promise<{ readonly state: ScreenIndex | null; readonly milliseconds: number }> {
  const begun = performance.now();
  const client = new pg.Client({ connectionString: request.databaseUrl, ...KEEP_ALIVE });
  // An error of the connection between two queries is ignored here; the next query reports it.
  client.on('error', () => undefined);
  await client.connect();
  const connection = Object.assign(client, { release: () => undefined });
  const pool = { connect: async () => connection, end: async () => undefined };
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const state = await read({ client, db }, request);
    return { state, milliseconds: Math.round(performance.now() - begun) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
