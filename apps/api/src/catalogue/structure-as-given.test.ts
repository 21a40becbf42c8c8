/** An installation whose materials were stored before the original structure was kept. */
import { readFileSync } from 'node:fs';
import { importLine } from '@unitcell/contract/import-line';
import { materialDetail } from '@unitcell/contract/matdata';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('the migration uses the primitive cell as the original structure and says so', async () => {
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
