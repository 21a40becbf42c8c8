/** The table `material` of a migrated database against the table of fields. */
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

/** Columns that say nothing of the material itself. */
const HOUSEKEEPING = ['provenance', 'content_hash', 'created_at', 'updated_at'] as const;

/** PostgreSQL's names of the types a field may have. */
const STORED_AS: Readonly<Record<(typeof SQL_TYPES)[Field['kind']], readonly string[]>> = {
  float8: ['double precision'],
  int: ['integer', 'smallint'],
  boolean: ['boolean'],
  text: ['text'],
  'text[]': ['ARRAY'],
};

it('has a column for every field, of its type, and no others', async () => {
  const { rows } = await database.pool.query<{ name: string; type: string; isNullable: boolean }>(
    `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable"
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'material'`,
  );
  const stored = new Map(rows.map((row) => [row.name, row]));
  const isAsSaid = ({ column, kind, isNullable }: Field): boolean => {
    const found = stored.get(column);
    // Arrays of PostgreSQL may be null as far as the schema can say; none is written so.
    const mayBeNull = kind === 'texts' ? found?.isNullable : isNullable === true;
    return STORED_AS[SQL_TYPES[kind]].some((type) => type === found?.type) && found?.isNullable === mayBeNull;
  };
  expect(FIELD_NAMES.filter((name) => !isAsSaid(fieldOf(name)))).toEqual([]);
  const known: string[] = [...FIELD_NAMES.map((name) => fieldOf(name).column), ...HOUSEKEEPING];
  expect([...stored.keys()].filter((column) => !known.includes(column))).toEqual([]);
});

it('has the same columns in schema.prisma, which the compiler checks', () => {
  type Stored = Omit<Selectable<Material>, (typeof HOUSEKEEPING)[number]>;
  expectTypeOf<keyof Stored>().toEqualTypeOf<keyof ColumnValues>();
  // Lists may not be changed where they are read.
  expectTypeOf<Omit<ColumnValues, 'elements'>>().toExtend<Omit<Stored, 'elements'>>();
});
