import { seededRandom } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import type { EnergyRow } from '../derive/hull.repository.ts';
import { collectHullChanges, mergeHullChanges } from './hull-changes.ts';

const SCALE = 'PBE';

it('hull changes collected in pieces equal hull changes collected at once', () => {
  const random = seededRandom(18);
  const above = (): number | null => (random() < 0.1 ? null : random() < 0.4 ? 0 : random());
  const entries = Array.from({ length: 900 }, (_, structId) => {
    const row: EnergyRow = {
      structId,
      chemicalSystem: 'O-Ti',
      formulaReduced: 'TiO2',
      energyPerAtom: null,
      givenFormationEnergy: null,
      formationEnergyPerAtom: null,
      energyAboveHull: above(),
    };
    const formationEnergyPerAtom = 20 * random() - 10;
    return {
      row,
      derived: { structId, formationEnergyPerAtom, energyAboveHull: above(), decomposition: null },
    };
  });
  const seen = (part: typeof entries) => {
    const changes = collectHullChanges(SCALE);
    for (const { row, derived } of part) changes.add(row, derived);
    return changes.result();
  };
  const whole = seen(entries);
  expect([whole.changed, whole.becameStable, whole.ceasedToBeStable].every((count) => count > 100)).toBe(
    true,
  );
  expect([whole.largest, whole.nowStable, whole.implausible].map(({ length }) => length)).toEqual([
    100, 100, 100,
  ]);
  for (const size of [1, 7, 250, 900]) {
    const parts = Array.from({ length: Math.ceil(entries.length / size) }, (_, at) =>
      seen(entries.slice(at * size, (at + 1) * size)),
    );
    const compared = parts.reduce((sum, part) => sum + part.compared, 0);
    expect(mergeHullChanges(SCALE, compared, parts)).toEqual(whole);
  }
});
