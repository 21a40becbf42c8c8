import { relatedMaterials } from '@unitcell/contract/matdata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalogueThreads } from '../../catalogue/open-catalogue-threads.ts';
import { arrangementsMigration } from '../../catalogue/data-migrations/migrations.ts';
import { migrateMaterials } from '../../catalogue/data-migrations/migrate.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, importLineOf, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

/** Anatase: D. T. Cromer and K. Herrington, J. Am. Chem. Soc. 77 (1955) 4708. */
const anatase = importLineOf(
  { a: 3.785, c: 9.514 },
  [0, 0.5].flatMap((s) =>
    [
      ['Ti', 0, 0, 0],
      ['Ti', 0, 0.5, 0.25],
      ['O', 0, 0, 0.2066],
      ['O', 0, 0, -0.2066],
      ['O', 0, 0.5, 0.4566],
      ['O', 0, 0.5, 0.0434],
    ].map(([symbol, x, y, z]): [string, number, number, number] => [
      String(symbol),
      Number(x) + s,
      Number(y) + s,
      Number(z) + s,
    ]),
  ),
  { struct_id: 6, formation_energy_per_atom: -3.47 },
);

/** TiO stretched along one axis: similar to rock salt, but with another symmetry. */
function stretched(struct_id: number, formation_energy_per_atom: number) {
  const line = rockSalt('Ti', 'O', 4.18, { struct_id, formation_energy_per_atom });
  line.structure.lattice.matrix[2]![2] = 1.05 * 4.18;
  return line;
}

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Li', 3.5, { struct_id: 10 }),
    element('Ti', 2.9, { struct_id: 1 }),
    element('O', 3, { struct_id: 2 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 3, formation_energy_per_atom: -3.48 }),
    anatase,
    rutile('Sn', 4.737, 3.186, { struct_id: 4 }),
    // Same Wyckoff positions as rutile, but F atoms form pairs in a long cell, so the arrangement differs.
    importLineOf(
      { a: 4.2, c: 6.8 },
      [
        ['K', 0, 0, 0],
        ['K', 0.5, 0.5, 0.5],
        ['F', 0.12, 0.12, 0],
        ['F', -0.12, -0.12, 0],
        ['F', 0.38, 0.62, 0.5],
        ['F', 0.62, 0.38, 0.5],
      ],
      { struct_id: 11 },
    ),
    rockSalt('Ti', 'O', 4.18, { struct_id: 7, formation_energy_per_atom: -2.8 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 8 }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 9 }),
    stretched(12, -2.6),
    stretched(13, -2.7),
  ]);
});
afterAll(() => test.close());

const relatedOf = async (struct_id: unknown) =>
  relatedMaterials.parse((await test.post('/api/matdata/get_related/', { struct_id }, { token })).json());
const ids = ({ rows }: { readonly rows: readonly { readonly struct_id: number }[] }) =>
  rows.map(({ struct_id }) => struct_id);

describe('POST /api/matdata/get_related/', () => {
  it('lists polymorphs, the chemical system and the prototype', async () => {
    const titania = await relatedOf(3);
    expect(titania).toMatchObject({ functional: 'PBE (MP 2018)', prototype: '136:a2 f4' });
    expect(ids(titania.polymorphs)).toEqual([6]);
    expect(titania.polymorphs.rows[0]!.e_above_hull).toBeCloseTo(0.01, 6);
    expect(ids(titania.same_system)).toEqual([7, 13, 12]);
    expect(titania.same_prototype).toMatchObject({ count: 1, rows: [{ struct_id: 4, formula: 'SnO2' }] });
    expect((await relatedOf(11)).prototype).toBe('136:a2 f4');
    expect(titania.windows.map(({ working_ion }) => working_ion)).toContain('Li');
  });

  it('finds crystals of the same structure type, whatever their elements and cell size', async () => {
    const { same_prototype: kin } = await relatedOf(8);
    expect(kin.rows).toEqual([
      expect.objectContaining({ struct_id: 7, distance: 0 }),
      expect.objectContaining({ struct_id: 9, distance: 0 }),
    ]);
    // Of two entries of one crystal, only the one nearest to the hull is listed. Rutile is beyond the
    // distance limit.
    expect(ids((await relatedOf(7)).similar)).toEqual([13]);
  });

  it('leaves only the derived parts empty without derived data, and fills them as before after a new derivation', async () => {
    const before = await relatedOf(3);
    await test.database.pool.query('DELETE FROM structure_arrangement');
    expect(await relatedOf(3)).toEqual({
      ...before,
      prototype: null,
      same_prototype: { count: 0, rows: [] },
      similar: { count: 0, rows: [] },
    });
    const threads = openCatalogueThreads(1);
    try {
      const made = { materials: 12, changed: 12, left: [] };
      expect(await migrateMaterials(test.database, threads, arrangementsMigration)).toMatchObject(made);
      expect(await migrateMaterials(test.database, threads, arrangementsMigration)).toBeNull();
    } finally {
      await threads.close();
    }
    expect(await relatedOf(3)).toEqual(before);
  });

  it('reports that a material does not exist', async () => {
    const answer = await test.post('/api/matdata/get_related/', { struct_id: 99 }, { token });
    expect(answer.statusCode).toBe(404);
  });
});
