/** Pieces of SQL the query builder has no word for, typed once. */
import { type Compilable, CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { z } from 'zod';
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

/** The material an id stands for today: what it was merged into, or itself. For ids that somebody kept. */
export const currentStructId = (id: number | RawBuilder<number>): RawBuilder<number> =>
  sql<number>`current_struct_id(${id})`;

/** PostgreSQL types that rows of a batch may have. */
type ColumnType = 'int' | 'float8' | 'text' | 'boolean' | 'jsonb';

/** Rows of a batch as a table `name` in one parameter, however many: to be selected from, joined or inserted. */
export const batch = <Row extends object, Name extends string>(
  name: Name,
  rows: readonly Row[],
  columns: Readonly<Record<keyof Row & string, ColumnType>>,
) => {
  const types = Object.entries<ColumnType>(columns).map(
    ([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`,
  );
  return sql<Row>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<Name>(
    sql`${sql.ref(name)}(${sql.join(types)})`,
  );
};

const SLOT = Symbol('slot');

/** Where a value of each call goes in a prepared query; what else the query holds stays as it is. */
export const slot = { number: sql<number>`${SLOT}`, text: sql<string>`${SLOT}` } as const;

/** The query's text, and its parameters with the values of a call in its slots, in their order. */
function compiledOnce<Row>(query: Compilable<Row>) {
  const { sql: text, parameters } = query.compile();
  const filled = (values: readonly unknown[]): unknown[] => {
    let next = 0;
    return parameters.map((parameter) => (parameter === SLOT ? values[next++] : parameter));
  };
  return { text, filled };
}

/** A query that is asked often, compiled here once and planned once a connection. Its rows are what the schema says. */
export function prepared<Row>(name: string, query: Compilable<Row>) {
  const { text, filled } = compiledOnce(query);
  return async (pool: pg.Pool, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await pool.query<Row & object>({ name, text, values: filled(values) });
    return rows;
  };
}

/** The same, its rows as arrays in the order of its columns. */
export function preparedArrays<Row extends readonly unknown[]>(
  name: string,
  query: Compilable<Readonly<Record<string, Row[number]>>>,
) {
  const { text, filled } = compiledOnce(query);
  return async (pool: pg.Pool, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await pool.query<Row & unknown[]>({
      name,
      text,
      values: filled(values),
      rowMode: 'array',
    });
    return rows;
  };
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

/** A statement that brings no rows back, as text with its values: for updates from lists, which the builder says worse. */
export async function run(tx: Db, text: string, values: readonly unknown[]): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(text, [...values]));
}
