import { orderedSite, type Structure, supercell } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { frameworkOf, groupByFramework, type HostFramework } from './match-structures.ts';

/**
 * LiCoO2 with O3 stacking in hexagonal axes (a = 2.816, c = 14.05 Å, z = 0.26; Orman & Wiseman, Acta Cryst.
 * C40, 12 (1984)). Only a share of the lithium layers is occupied, and the axes may be changed.
 */
function layered(lithium: readonly boolean[], { a = 2.816, c = 14.05 } = {}): Structure {
  const centring = [
    [0, 0, 0],
    [2 / 3, 1 / 3, 1 / 3],
    [1 / 3, 2 / 3, 2 / 3],
  ] as const;
  const sites = centring.flatMap(([x, y, z], layer) => [
    orderedSite('Co', [x, y, z]),
    orderedSite('O', [x, y, z + 0.26]),
    orderedSite('O', [x, y, z - 0.26]),
    ...(lithium[layer] ? [orderedSite('Li', [x, y, z + 0.5])] : []),
  ]);
  return {
    latticeVectors: [
      [a, 0, 0],
      [-a / 2, (a * Math.sqrt(3)) / 2, 0],
      [0, 0, c],
    ],
    sites,
  };
}

const framework = (structure: Structure): HostFramework => {
  const found = frameworkOf(structure, 'Li');
  if (!found) throw new Error('the structure has no framework');
  return found;
};

const full = layered([true, true, true]);
const empty = layered([false, false, false], { a: 2.82, c: 13.2 });
const third = layered([true, false, false], { a: 2.81, c: 14.3 });

describe('frameworkOf', () => {
  it('counts ions, atoms and volume per formula unit of the framework', () => {
    const { unit, ionContent, volume } = framework(full);
    expect(unit).toEqual({ Co: 1, O: 2 });
    expect(ionContent).toBe(1);
    expect(volume).toBeCloseTo(96.49 / 3, 1);
    expect(framework(third).ionContent).toBeCloseTo(1 / 3, 12);
  });

  it('is null for a metal that consists only of the ion', () => {
    const metal: Structure = { latticeVectors: full.latticeVectors, sites: [orderedSite('Li', [0, 0, 0])] };
    expect(frameworkOf(metal, 'Li')).toBeNull();
  });
});

describe('groupByFramework', () => {
  it('joins full, empty and ordered hosts in primitive cells and supercells', () => {
    const hosts = [full, supercell(empty, [2, 1, 1]), third, supercell(full, [1, 1, 2])].map(framework);
    expect(groupByFramework(hosts)).toEqual([[0, 1, 2, 3]]);
  });

  it('separates a different structure of the same composition, and a host that expands by more than half', () => {
    // CdCl2-like layers against a fluorite of the same formula.
    const fluorite: Structure = {
      latticeVectors: [
        [0, 2.3, 2.3],
        [2.3, 0, 2.3],
        [2.3, 2.3, 0],
      ],
      sites: [
        orderedSite('Co', [0, 0, 0]),
        orderedSite('O', [0.25, 0.25, 0.25]),
        orderedSite('O', [0.75, 0.75, 0.75]),
      ],
    };
    const swollen = layered([false, false, false], { a: 3.3, c: 16.2 });
    expect(groupByFramework([full, fluorite, swollen].map(framework))).toEqual([[0], [1], [2]]);
  });
});
