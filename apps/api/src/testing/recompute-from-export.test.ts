import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from './material-factory.ts';
import { recomputeFromExport } from './recompute-from-export.ts';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(() => test.close());

const TOTAL = 'PBE (totals)';
const totals = (energy: number) => ({ functional: TOTAL, formation_energy_per_atom: undefined, energy });

describe('energies above the hull', () => {
  it('can be recomputed from exported formation energies', async () => {
    await storeMaterials(test.database, [
      element('Ti', 2.9, { struct_id: 11 }),
      element('O', 3.0, { struct_id: 12 }),
      element('Mg', 3.2, { struct_id: 13 }),
      element('Mg', 3.6, { struct_id: 14, formation_energy_per_atom: 0.05 }),
      rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.48 }),
      rutile('Ti', 4.7, 3.1, { struct_id: 22, formation_energy_per_atom: -3.4 }),
      rockSalt('Ti', 'O', 4.177, { struct_id: 23, formation_energy_per_atom: -2.6 }),
      rockSalt('Mg', 'O', 4.212, { struct_id: 24, formation_energy_per_atom: -3.0 }),
    ]);
    const energies = await recomputeFromExport(test.database, 'PBE (MP 2018)', ['Mg', 'O', 'Ti']);
    expect(energies).toHaveLength(8);
    expect(energies.filter(({ shown }) => shown > 0).map(({ structId }) => structId)).toEqual([14, 22, 23]);
    for (const { recomputed, shown } of energies) expect(Math.abs(recomputed - shown)).toBeLessThan(1e-6);
  });

  it('can be recomputed from exported total energies', async () => {
    await storeMaterials(test.database, [
      element('Na', 3.5, { struct_id: 31, ...totals(-1.3) }),
      element('Cl', 3.9, { struct_id: 32, ...totals(-1.8) }),
      rockSalt('Na', 'Cl', 5.64, { struct_id: 33, ...totals(-28) }),
      rockSalt('Na', 'Cl', 5.9, { struct_id: 34, ...totals(-27) }),
    ]);
    const energies = await recomputeFromExport(test.database, TOTAL, ['Na', 'Cl']);
    expect(energies.map(({ shown }) => shown)).toEqual([0, 0, 0, expect.closeTo(0.125, 9)]);
    for (const { recomputed, shown } of energies) expect(Math.abs(recomputed - shown)).toBeLessThan(1e-6);
  });
});
