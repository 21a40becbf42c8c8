/**
 * Tests migrations of an installation with stored materials: original structures, and the mean values derived
 * from tensors.
 */
import { readFileSync } from 'node:fs';
import { importLine } from '@unitcell/contract/import-line';
import { materialDetail } from '@unitcell/contract/matdata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '@unitcell/tools/test-database';
import { readMigrations } from '@unitcell/tools/migrations';
import { seededRandom } from '@unitcell/numerics';
import { elasticModuli } from '@unitcell/tensors';
import pg from 'pg';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { rutile, storeMaterials } from '../testing/material-factory.ts';
import { exportRows, toImportLine } from './export/export-materials.ts';

const MIGRATION = new URL(
  '../../../../prisma/migrations/20261122055105_structure_as_given/migration.sql',
  import.meta.url,
);

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(() => test.close());

it('the migration uses the primitive cell as the original structure and records that it did so', async () => {
  const token = await test.signIn();
  await storeMaterials(test.database, [rutile('Ti', 4.594, 2.959, { struct_id: 1, total_magnetization: 2 })]);
  await test.database.pool.query(
    `ALTER TABLE material_structure DROP COLUMN given, DROP COLUMN is_given_kept, DROP COLUMN rotation, DROP COLUMN stated;
     ${readFileSync(MIGRATION, 'utf8')}`,
  );
  await storeMaterials(test.database, [rutile('Sn', 4.737, 3.186, { struct_id: 2 })]);
  const detail = async (struct_id: number) =>
    materialDetail.parse(
      (await test.post('/api/matdata/get_struct_detail/', { struct_id }, { token })).json(),
    );
  const [old, fresh] = [await detail(1), await detail(2)];
  expect(old.structures.given).toBeNull();
  expect(old.symmetry_data.stated).toEqual([]);
  expect(old.total_magnetization).toBe(2);
  expect(fresh.structures.given?.sites).toHaveLength(6);
  expect(fresh.symmetry_data.stated.map(({ tolerance }) => tolerance)).toEqual([0.01, 0.1]);
  const lines = [];
  for await (const row of exportRows(test.database)) lines.push(importLine.parse(toImportLine(row)));
  expect(lines.map(({ structure }) => structure.sites.length)).toEqual([6, 6]);
  expect(lines[0]?.structure).toEqual(old.structures.primitive);
});

it('the migration inverts random stiffness tensors with the same result as the package', async () => {
  const migration = readMigrations().find(({ name }) => name.endsWith('collections_and_tensor_means'))!;
  const [made] = /CREATE FUNCTION hill_moduli[\s\S]*?END \$\$;/.exec(migration.sql)!;
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(made);
    const random = seededRandom(1889);
    for (let round = 0; round < 50; round++) {
      const half = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => 10 * random() - 5));
      // A·Aᵀ + 100 has only positive eigenvalues.
      const tensor = half.map((row, i) =>
        half.map((other, j) => row.reduce((sum, value, k) => sum + value * other[k]!, i === j ? 100 : 0)),
      );
      const { bulk, shear } = elasticModuli(tensor);
      const { rows } = await client.query<{ moduli: number[] }>('SELECT hill_moduli($1::jsonb) AS moduli', [
        JSON.stringify(tensor),
      ]);
      expect(rows[0]?.moduli[0]).toBeCloseTo(bulk.hill, 8);
      expect(rows[0]?.moduli[1]).toBeCloseTo(shear.hill, 8);
    }
  } finally {
    await client.end();
    await database.drop();
  }
});
