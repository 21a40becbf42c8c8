/** Gaps of model bands whose edges are known in closed form, and invariances of the gap. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { type BandGap, bandGap, type BandStructure } from './properties.ts';

/** Bands E(k) on a path from k = 0 to k = 1. */
function pathOf(bands: readonly ((k: number) => number)[], fermiEnergy: number, steps = 40): BandStructure {
  const kDistance = Array.from({ length: steps + 1 }, (_, index) => index / steps);
  return {
    functional: 'PBE',
    kPoints: kDistance.map((k) => [k, 0, 0]),
    labels: [],
    kDistance,
    spinUp: kDistance.map((k) => bands.map((energy) => energy(k))),
    fermiEnergy,
  };
}
const gapOf = (bands: BandStructure): BandGap => {
  const gap = bandGap(bands);
  if (!gap) throw new Error('a metal');
  return gap;
};

describe('bandGap of bands in closed form', () => {
  it('is 2Δ at the zone boundary for a chain of two unlike atoms (S. L. Altmann, Band Theory of Solids, 1991, ch. 1)', () => {
    // E = ±√(Δ² + (2t cos πk/2)²): the bands are closest at k = 1, where the coupling of the atoms vanishes.
    const [delta, t] = [0.7, 1.3];
    const half = (k: number) => Math.hypot(delta, 2 * t * Math.cos((Math.PI * k) / 2));
    const gap = gapOf(pathOf([(k) => -half(k), half], 0));
    expect(gap.width).toBeCloseTo(2 * delta, 12);
    expect([gap.vbm.energy, gap.cbm.energy]).toEqual([expect.closeTo(-delta, 12), expect.closeTo(delta, 12)]);
    expect(gap.vbm.kIndices).toContain(40);
    expect(gap.vbm.kIndices).not.toContain(0);
    expect(gap.isDirect).toBe(true);
  });

  it('is indirect if the edges are at different k, as in silicon: top at Γ, bottom at 0.85 of the way to X', () => {
    const gap = gapOf(pathOf([(k) => -3 * k * k, (k) => 1.12 + 4 * (k - 0.85) ** 2, (k) => 3.4 + k], 0));
    expect(gap).toMatchObject({ width: expect.closeTo(1.12, 12), isDirect: false });
    expect(gap.vbm.kIndices).toEqual([0]);
    expect(gap.cbm.kIndices).toEqual([34]);
  });

  it('is direct if one of several band maxima is at the same k as one of several minima', () => {
    const tops = (k: number) => -(Math.sin(2 * Math.PI * k) ** 2);
    const gap = gapOf(pathOf([tops, (k) => 1 + 4 * (k - 0.5) ** 2], 0));
    expect(gap.vbm.kIndices).toEqual([0, 20, 40]);
    expect(gap.cbm.kIndices).toEqual([20]);
    expect(gap.isDirect).toBe(true);
  });

  it('is the smallest over both spins, whose edges may differ in spin, and null for a half-metal', () => {
    const up = pathOf([(k) => -1 - k, (k) => 2 + k], 0);
    const down = pathOf([(k) => -0.4 - k, (k) => 3 + k], 0);
    const both = { ...up, spinDown: down.spinUp };
    expect(gapOf(both)).toMatchObject({ width: expect.closeTo(2.4, 12), isDirect: true });
    expect(gapOf(both).vbm.kIndices).toEqual([0]);
    // One spin crosses the Fermi level, so the material is a metal.
    expect(bandGap({ ...up, spinDown: pathOf([(k) => k - 0.5, (k) => 3 + k], 0).spinUp })).toBeNull();
  });
});

describe('bandGap', () => {
  it('is null for a metal: a band on both sides of the Fermi level', () => {
    expect(bandGap(pathOf([(k) => Math.cos(Math.PI * k)], 0))).toBeNull();
    expect(bandGap(pathOf([() => -2, (k) => k - 0.1, () => 3], 0))).toBeNull();
  });

  it('is null if all bands are above or below the Fermi level, or if there are none', () => {
    expect(bandGap(pathOf([(k) => 1 + k, (k) => 2 + k], 0))).toBeNull();
    expect(bandGap(pathOf([(k) => -1 - k, (k) => -2 - k], 0))).toBeNull();
    expect(bandGap(pathOf([], 0))).toBeNull();
    expect(bandGap({ ...pathOf([], 0), spinUp: [], kDistance: [] })).toBeNull();
  });

  it('tolerates a rounded Fermi level: a top up to 1 meV above it is occupied', () => {
    const bands = [(k: number) => -k, (k: number) => 1 + k];
    expect(gapOf(pathOf(bands, -0.0009)).width).toBeCloseTo(1, 12);
    expect(gapOf(pathOf(bands, 0.9)).width).toBeCloseTo(1, 12);
    expect(bandGap(pathOf(bands, -0.0011))).toBeNull();
    // Exactly at the tolerance the band is still occupied and does not cross.
    expect(gapOf(pathOf([(k) => -k, () => 1], -1e-3)).width).toBe(1);
    // A flat band at the Fermi level is occupied; the gap ends at the empty band above it.
    expect(gapOf(pathOf([() => 0, (k) => 1 + k], 0)).width).toBeCloseTo(1, 12);
  });

  it('treats k-points within rounding of the band edge as part of the edge, but no others', () => {
    const edge = (shift: number) => (k: number) => (k === 0 ? 0 : k === 1 ? -shift : -1);
    const empty = (k: number) => 2 + (k < 1 ? 1 : 0);
    expect(gapOf(pathOf([edge(0.0008), empty], 0))).toMatchObject({
      vbm: { kIndices: [0, 40] },
      isDirect: true,
    });
    expect(gapOf(pathOf([edge(0.002), empty], 0))).toMatchObject({ vbm: { kIndices: [0] }, isDirect: false });
  });

  it('ignores band energies that a source does not give', () => {
    const whole = pathOf([(k) => -1 - k, (k) => 1 + k], 0);
    const holes = whole.spinUp.map((row, index) =>
      index === 5 ? [row[0]] : index === 7 ? [Number.NaN, row[1]] : row,
    );
    expect(gapOf({ ...whole, spinUp: holes })).toEqual(gapOf(whole));
    // A metal does not become a semiconductor if the first or last k-point has fewer bands.
    const ends = whole.spinUp.map((row, index) => (index === 0 ? [] : index === 40 ? row.slice(0, 1) : row));
    const gap = gapOf({ ...whole, spinUp: ends });
    expect([gap.vbm.energy, gap.cbm.energy]).toEqual([whole.spinUp[1][0], whole.spinUp[1][1]]);
    expect(
      bandGap({
        ...pathOf([(k) => -1 - k, (k) => k - 0.5], 0),
        spinUp: [[-1], [-1, -0.5], [-2, 0.5]],
        kDistance: [0, 0.5, 1],
      }),
    ).toBeNull();
  });
});

describe('bandGap of random bands', () => {
  const random = seededRandom(61);
  /** Two groups of bands, each a few cosines, on either side of a gap with a known minimum. */
  function insulator() {
    const wave = () => {
      const [a, b, phase] = [random(), random(), random()];
      return (k: number) =>
        (a * Math.cos(2 * Math.PI * (k + phase)) + b * Math.cos(4 * Math.PI * k) - a - b) / 2;
    };
    const [below, above] = [Array.from({ length: 3 }, wave), Array.from({ length: 2 }, wave)];
    return pathOf([...below, ...above.map((energy) => (k: number) => 0.3 - energy(k))], 0.15, 24);
  }
  const seen = new Set<boolean>();

  it('separates occupied from empty energies, and both edges are reached at the stated k-points', () => {
    for (let round = 0; round < 60; round++) {
      const bands = insulator();
      const { vbm, cbm, width, isDirect } = gapOf(bands);
      seen.add(isDirect);
      const all = bands.spinUp.flat();
      expect(width).toBeCloseTo(cbm.energy - vbm.energy, 12);
      expect(width).toBeGreaterThanOrEqual(0.3 - 1e-12);
      expect(all.filter((energy) => energy > vbm.energy && energy < cbm.energy)).toEqual([]);
      expect(all.filter((energy) => energy <= vbm.energy)).toHaveLength(3 * bands.kDistance.length);
      for (const edge of [vbm, cbm])
        for (const [index, row] of bands.spinUp.entries())
          expect(row.some((energy) => Math.abs(energy - edge.energy) <= 1e-3)).toBe(
            edge.kIndices.includes(index),
          );
      const direct = Math.min(...bands.spinUp.map((row) => row[3] - Math.max(...row.slice(0, 3))));
      expect(isDirect ? direct - width : 1).toBeGreaterThanOrEqual(-1e-12);
    }
    expect(seen.size).toBe(2);
  });

  it('shifts with the zero of energy, and does not depend on the order of bands or spins', () => {
    for (let round = 0; round < 30; round++) {
      const bands = insulator();
      const gap = gapOf(bands);
      const moved = gapOf({
        ...bands,
        fermiEnergy: 8.15,
        spinUp: bands.spinUp.map((row) => row.map((e) => e + 8)),
      });
      expect(moved.width).toBeCloseTo(gap.width, 10);
      expect(moved.vbm.energy).toBeCloseTo(gap.vbm.energy + 8, 10);
      expect(gapOf({ ...bands, spinUp: bands.spinUp.map((row) => row.toReversed()) })).toEqual(gap);
      const other = insulator();
      const [one, two] = [
        { ...bands, spinDown: other.spinUp },
        { ...other, spinDown: bands.spinUp },
      ];
      expect(gapOf(one)).toEqual(gapOf(two));
      expect(gapOf(one).width).toBeLessThanOrEqual(gap.width);
      // A remote band and a copy of the spin channel do not change the gap.
      expect(gapOf({ ...bands, spinDown: bands.spinUp })).toEqual(gap);
      expect(gapOf({ ...bands, spinUp: bands.spinUp.map((row) => [-40, ...row, 40]) })).toEqual(gap);
    }
  });

  it('is mirrored if the path is reversed', () => {
    const bands = insulator();
    const gap = gapOf(bands);
    const back = gapOf({ ...bands, spinUp: bands.spinUp.toReversed() });
    expect(back.vbm.kIndices).toEqual(gap.vbm.kIndices.map((index) => 24 - index).toReversed());
    expect(back).toMatchObject({ width: gap.width, isDirect: gap.isDirect });
  });
});
