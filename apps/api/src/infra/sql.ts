/** Typed SQL fragments that the query builder lacks. */
import {
  type Compilable,
  CompiledQuery,
  type Expression,
  expressionBuilder,
  type InsertType,
  type RawBuilder,
  type SelectType,
  sql,
} from 'kysely';
import type pg from 'pg';
import type { z } from 'zod';
import type { DB } from '../generated/tables/tables.ts';
import type { Db } from './database.ts';

/** The time of the database's clock. Times are compared in the database because they were written there. */
export const now: RawBuilder<Date> = sql<Date>`now()`;

/** The time `seconds` from now by the server's clock; negative: in the past. */
export const fromNow = (seconds: number): RawBuilder<Date> =>
  sql<Date>`now() + make_interval(secs => ${seconds})`;

/** A value as `jsonb`. The driver would send a JavaScript array as a PostgreSQL array. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}::jsonb`;

/** The version of a row. It shows whether the row was written again during a calculation. */
export const rowVersion = (table: string): RawBuilder<string> => sql<string>`${sql.ref(table)}.xmin::text`;

/** Seconds from one time to another. */
export const secondsBetween = (
  from: Expression<Date | null>,
  to: Expression<Date | null>,
): RawBuilder<number> => sql<number>`extract(epoch FROM ${to} - ${from})::float8`;

/** A list of ids or names of any length as one parameter, to be compared with `=`. */
export const anyOf = <T extends number | string>(
  values: readonly T[] | RawBuilder<readonly T[]>,
  type: 'int' | 'text',
): RawBuilder<T> => sql<T>`any(${values}::${sql.raw(type)}[])`;

/** The display name of an account. */
export const shownName = (name: Expression<string>, username: Expression<string>): RawBuilder<string> =>
  sql<string>`coalesce(nullif(${name}, ''), ${username})`;

/** Whether the account of the query has an active second factor. */
export const hasActiveFactor = expressionBuilder<DB>()
  .exists(
    expressionBuilder<DB>()
      .selectFrom('second_factor')
      .select('second_factor.account_id')
      .where('second_factor.account_id', '=', sql.ref<number>('account.id'))
      .where('second_factor.confirmed_at', 'is not', null),
  )
  .$castTo<boolean>();

/** The current id of a material: the id of the material into which it was merged, otherwise its own. */
export const currentStructId = (id: number | RawBuilder<number>): RawBuilder<number> =>
  sql<number>`current_struct_id(${id})`;

/**
 * The release number of the catalogue: the last finished rebuild of derived data; null before the first
 * rebuild.
 */
export const lastRelease = expressionBuilder<DB>()
  .selectFrom('release')
  .select(({ fn }) => fn.max('id').as('id'))
  .where('finished_at', 'is not', null);

/** The columns of a table under its alias in a query, for `sql` expressions. */
export const columnsOf =
  <Table extends keyof DB>(table: Table, alias: string = table) =>
  <Column extends keyof DB[Table] & string>(column: Column) =>
    sql.ref<SelectType<DB[Table][Column]>>(`${alias}.${column}`);

type Sent<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** Columns of the table with their value types; any other name fails the type check. */
type RowOf<Table extends keyof DB, Row> = {
  readonly [Column in keyof Row]: Column extends keyof DB[Table]
    ? Sent<InsertType<DB[Table][Column]>>
    : never;
};

/** Bytes in PostgreSQL's JSON notation. */
const sent = (value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

const toJson = (rows: readonly object[]): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, sent(value)])),
    ),
  );

/**
 * Passes rows with columns of `table` as one parameter, which can be selected from, joined or inserted as a
 * table `name`. PostgreSQL takes the column types from `table`. In a join, qualify columns of both tables: the
 * batch has all columns of `table`, null where the rows have none.
 */
export const batch = <Name extends string, Table extends keyof DB, Row extends RowOf<Table, Row>>(
  name: Name,
  table: Table,
  rows: readonly Row[],
) => sql<Row>`jsonb_populate_recordset(NULL::${sql.table(table)}, ${toJson(rows)}::jsonb)`.as<Name>(name);

/** Inserts rows with the same columns in one statement. */
export async function insertRows<Table extends keyof DB, Row extends RowOf<Table, Row>>(
  db: Db,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)));
  await sql`INSERT INTO ${sql.table(table)} (${columns}) SELECT ${columns} FROM ${batch('made', table, rows)}`.execute(
    db,
  );
}

/** Placeholder for a value in a statement that is compiled once. */
class Slot {
  constructor(readonly place: number) {}
}

type Slots<Values extends readonly unknown[]> = {
  readonly [Place in keyof Values]: RawBuilder<Values[Place]>;
};

/** Largest number of values of a statement. */
const MOST_VALUES = 12;

/** The text of a query, and a function that assigns the values of a call to its parameters. */
function compiledOnce<Values extends readonly unknown[]>(
  compile: (...slots: Slots<Values>) => CompiledQuery,
) {
  const slots = Array.from({ length: MOST_VALUES }, (_, place) => sql`${new Slot(place)}`);
  const { sql: text, parameters } = compile(...(slots as Slots<Values>));
  return (values: Values) => ({
    text,
    values: parameters.map((parameter) => (parameter instanceof Slot ? values[parameter.place] : parameter)),
  });
}

/** A frequent query, compiled at its first call and planned once per connection. Row types come from the schema. */
export function prepared<Values extends readonly unknown[], Row>(
  name: string,
  build: (on: Db, ...slots: Slots<Values>) => Compilable<Row> | RawBuilder<Row>,
) {
  let compiled: ReturnType<typeof compiledOnce<Values>> | undefined;
  return async (on: Db, ...values: Values): Promise<Row[]> => {
    compiled ??= compiledOnce<Values>((...slots) => build(on, ...slots).compile(on));
    const { text, values: parameters } = compiled(values);
    // Kysely does not support statement names, but passes this object to the driver unchanged.
    const named = { name, text } as unknown as string;
    return (await on.executeQuery<Row>(CompiledQuery.raw(named, parameters))).rows;
  };
}

/** A frequent query that returns rows as arrays in column order. */
export function preparedArrays<Values extends readonly unknown[], Row extends readonly unknown[]>(
  name: string,
  build: (...slots: Slots<Values>) => Compilable<Readonly<Record<string, Row[number]>>>,
) {
  const compiled = compiledOnce<Values>((...slots) => build(...slots).compile());
  return async (pool: pg.Pool, ...values: Values): Promise<Row[]> =>
    (await pool.query<Row & unknown[]>({ name, ...compiled(values), rowMode: 'array' })).rows;
}

/** The rows of a query as arrays in column order. */
export async function arrays(on: pg.Pool | pg.ClientBase, query: Compilable): Promise<unknown[][]> {
  const { sql: text, parameters } = query.compile();
  return (await on.query<unknown[]>({ text, values: [...parameters], rowMode: 'array' })).rows;
}

/** Rows of objects outside our schema (the server's own tables and functions), validated against `row`. */
export async function checkedRows<Row extends z.ZodType>(
  client: pg.ClientBase,
  text: string,
  row: Row,
): Promise<z.output<Row>[]> {
  const { rows } = await client.query<object>(text);
  return rows.map((each) => row.parse(each));
}
