/** Pieces of SQL the query builder has no word for, typed once. */
import {
  type Compilable,
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

/** The server's clock: every comparison of times is made where the times were written. */
export const now: RawBuilder<Date> = sql<Date>`now()`;

/** The time `seconds` from now, by the server's clock; negative: ago. */
export const fromNow = (seconds: number): RawBuilder<Date> =>
  sql<Date>`now() + make_interval(secs => ${seconds})`;

/** A value as `jsonb`. The driver would send an array of it as a PostgreSQL array. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}::jsonb`;

/** Seconds from one time to another. */
export const secondsBetween = (
  from: Expression<Date | null>,
  to: Expression<Date | null>,
): RawBuilder<number> => sql<number>`extract(epoch FROM ${to} - ${from})::float8`;

/** A list of ids or names as one parameter, however long: to be compared with `=`. */
export const anyOf = <T extends number | string>(values: readonly T[], type: 'int' | 'text'): RawBuilder<T> =>
  sql<T>`any(${[...values]}::${sql.raw(type)}[])`;

/** What an account is called. */
export const shownName = (name: Expression<string>, username: Expression<string>): RawBuilder<string> =>
  sql<string>`coalesce(nullif(${name}, ''), ${username})`;

/** The material an id stands for today: what it was merged into, or itself. For ids that somebody kept. */
export const currentStructId = (id: number | RawBuilder<number>): RawBuilder<number> =>
  sql<number>`current_struct_id(${id})`;

/** Number of the release of the catalogue: the last finished rebuild of derived data; null before the first. */
export const lastRelease = expressionBuilder<DB>()
  .selectFrom('release')
  .select(({ fn }) => fn.max('id').as('id'))
  .where('finished_at', 'is not', null);

/** The columns of a table under the name it has in a query, for expressions with `sql`. */
export const columnsOf =
  <Table extends keyof DB>(table: Table, alias: string = table) =>
  <Column extends keyof DB[Table] & string>(column: Column) =>
    sql.ref<SelectType<DB[Table][Column]>>(`${alias}.${column}`);

type Sent<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** Columns of the table with values they take; any other name fails the type check. */
type RowOf<Table extends keyof DB, Row> = {
  readonly [Column in keyof Row]: Column extends keyof DB[Table]
    ? Sent<InsertType<DB[Table][Column]>>
    : never;
};

/** Bytes as PostgreSQL reads them in JSON. */
const sent = (value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

const toJson = (rows: readonly object[]): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, sent(value)])),
    ),
  );

/**
 * Rows with columns of `table` as a table `name`, in one parameter, however many: to be selected from, joined or inserted. The
 * types of the columns are those PostgreSQL knows of the table. In a join, columns of both need the name of their table: the batch has
 * all that `table` has, null where the rows have none.
 */
export const batch = <Name extends string, Table extends keyof DB, Row extends RowOf<Table, Row>>(
  name: Name,
  table: Table,
  rows: readonly Row[],
) => sql<Row>`jsonb_populate_recordset(NULL::${sql.table(table)}, ${toJson(rows)}::jsonb)`.as<Name>(name);

/** Inserts rows that have the same columns, in one statement. */
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

/** Where the value of a call goes in a statement that is compiled once. */
class Slot {
  constructor(readonly place: number) {}
}

type Slots<Values extends readonly unknown[]> = {
  readonly [Place in keyof Values]: RawBuilder<Values[Place]>;
};

/** The text of a query, and its parameters with the values of a call where `build` put them. */
function compiledOnce<Values extends readonly unknown[]>(build: (...slots: Slots<Values>) => Compilable) {
  const slots = Array.from({ length: build.length }, (_, place) => sql`${new Slot(place)}`);
  const { sql: text, parameters } = build(...(slots as Slots<Values>)).compile();
  return (values: Values) => ({
    text,
    values: parameters.map((parameter) => (parameter instanceof Slot ? values[parameter.place] : parameter)),
  });
}

/** A query that is asked often, compiled here once and planned once a connection. Its rows are what the schema says. */
export function prepared<Values extends readonly unknown[], Row>(
  name: string,
  build: (...slots: Slots<Values>) => Compilable<Row>,
) {
  const compiled = compiledOnce(build);
  return async (pool: pg.Pool, ...values: Values): Promise<Row[]> =>
    (await pool.query<Row & object>({ name, ...compiled(values) })).rows;
}

/** The same, its rows as arrays in the order of its columns. */
export function preparedArrays<Values extends readonly unknown[], Row extends readonly unknown[]>(
  name: string,
  build: (...slots: Slots<Values>) => Compilable<Readonly<Record<string, Row[number]>>>,
) {
  const compiled = compiledOnce(build);
  return async (pool: pg.Pool, ...values: Values): Promise<Row[]> =>
    (await pool.query<Row & unknown[]>({ name, ...compiled(values), rowMode: 'array' })).rows;
}

/** The rows of a query as arrays in the order of its columns. */
export async function arrays(on: pg.Pool | pg.ClientBase, query: Compilable): Promise<unknown[][]> {
  const { sql: text, parameters } = query.compile();
  return (await on.query<unknown[]>({ text, values: [...parameters], rowMode: 'array' })).rows;
}

/** Rows of what no schema of ours describes (the server's own tables and functions), held against `row` as they come. */
export async function checkedRows<Row extends z.ZodType>(
  client: pg.ClientBase,
  text: string,
  row: Row,
): Promise<z.output<Row>[]> {
  const { rows } = await client.query<object>(text);
  return rows.map((each) => row.parse(each));
}
