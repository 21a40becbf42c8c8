import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { analyzeNear } from './catalogue-cells.ts';
import { rutile } from './testing/fixtures.ts';

type Cell = readonly [number, number, number, number, number, number];

const heusler = (
  [a, b, c, alpha, beta, gamma]: Cell,
  elements: readonly string[],
  positions: readonly Vec3[],
): Structure => ({
  latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
  sites: positions.map((position, index) => orderedSite(elements[index], position)),
});

/**
 * Relaxed cells of two Heusler alloys, distorted by a hundredth of an ångström: Materials Project, CC BY 4.0.
 */
const distorted = [
  [
    'LaAgHg2 (mp-867245)',
    heusler(
      [5.16573, 5.1632, 5.16317, 60.03249, 59.98366, 59.98331],
      ['La', 'Ag', 'Hg', 'Hg'],
      [
        [0.75, 0.75, 0.75],
        [0.25, 0.25, 0.25],
        [0.5, 0.5, 0.5],
        [0, 0, 0],
      ],
    ),
    'Fm-3m',
  ],
  [
    'CaGdHg2 (mp-867315)',
    heusler(
      [5.28369, 5.29452, 5.28372, 59.98192, 60.09616, 59.98028],
      ['Ca', 'Gd', 'Hg', 'Hg'],
      [
        [0.25, 0.25, 0.25],
        [0.75, 0.75, 0.75],
        [0.00168, 0.99864, 0.00005],
        [0.49832, 0.50136, 0.49995],
      ],
    ),
    'Immm',
  ],
] as const;

describe('analyzeNear', () => {
  it.each(distorted)(
    '%s: uses a tolerance near the requested one, not a fraction of it',
    (_name, crystal, symbol) => {
      const silent = analyzeSymmetry(crystal, { symprec: 0.01 });
      expect(silent.symprec).toBeLessThan(0.0051);
      const near = analyzeNear(crystal, 0.01);
      expect(near.symprec).toBeGreaterThan(0.005);
      expect(near.symprec).toBeLessThan(0.02);
      expect(near.spaceGroup.symbol).toBe(symbol);
      expect(near.operations.length).toBeGreaterThan(silent.operations.length);
    },
  );

  it('keeps a tolerance at which the operations form a group', () => {
    for (const tolerance of [0.001, 0.01, 0.1]) {
      const found = analyzeNear(rutile, tolerance);
      expect(found.symprec).toBe(tolerance);
      expect(found.spaceGroup.symbol).toBe('P4_2/mnm');
    }
  });

  it('resolves atoms that are closer than the tolerance by a smaller tolerance', () => {
    const split: Structure = {
      latticeVectors: latticeVectorsFromParameters({ a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }),
      sites: [orderedSite('H', [0, 0, 0]), orderedSite('H', [0, 0, 0.02])],
    };
    expect(() => analyzeSymmetry(split, { symprec: 0.1 })).toThrow(/apart/);
    expect(analyzeNear(split, 0.1).symprec).toBeLessThan(0.08);
  });

  it('refuses structures without a group at every tolerance', () => {
    expect(() => analyzeNear({ ...rutile, sites: [] }, 0.1)).toThrow(/no sites/);
    expect(() => analyzeNear(rutile, Number.NaN)).toThrow(/symprec/);
  });
});
