/** Compares the table `material` of a migrated database with the table of fields. */
import { type ColumnValues, type Field, FIELD_NAMES, fieldOf, SQL_TYPES } from '@unitcell/material';
import type { Selectable } from 'kysely';
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest';
import type { Material } from '../generated/tables/tables.ts';
import type { Database } from '../infra/database.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Columns that do not describe the material. */
const HOUSEKEEPING = ['provenance', 'content_hash', 'created_at', 'updated_at'] as const;

/** PostgreSQL types of the field types. */
const STORED_AS: Readonly<Record<(typeof SQL_TYPES)[Field['kind']], readonly string[]>> = {
  float8: ['double precision'],
  int: ['integer', 'smallint'],
  boolean: ['boolean'],
  text: ['text'],
  'text[]': ['ARRAY'],
};

it('the table material has one column of the right type for every field, and no others', async () => {
  const { rows } = await database.pool.query<{ name: string; type: string; isNullable: boolean }>(
    `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable"
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'material'`,
  );
  const stored = new Map(rows.map((row) => [row.name, row]));
  const isAsSaid = ({ column, kind, isNullable }: Field): boolean => {
    const found = stored.get(column);
    // The schema cannot forbid null for array columns; the code never writes null there.
    const mayBeNull = kind === 'texts' ? found?.isNullable : isNullable === true;
    return STORED_AS[SQL_TYPES[kind]].some((type) => type === found?.type) && found?.isNullable === mayBeNull;
  };
  expect(FIELD_NAMES.filter((name) => !isAsSaid(fieldOf(name)))).toEqual([]);
  const known: string[] = [...FIELD_NAMES.map((name) => fieldOf(name).column), ...HOUSEKEEPING];
  expect([...stored.keys()].filter((column) => !known.includes(column))).toEqual([]);
});

it('schema.prisma has the same columns, checked by the compiler', () => {
  type Stored = Omit<Selectable<Material>, (typeof HOUSEKEEPING)[number]>;
  expectTypeOf<keyof Stored>().toEqualTypeOf<keyof ColumnValues>();
  // The table of fields declares readonly lists, Prisma declares mutable lists.
  expectTypeOf<Omit<ColumnValues, 'elements'>>().toExtend<Omit<Stored, 'elements'>>();
});
