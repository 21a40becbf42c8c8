/** Compares gap, metallic state and band edges from eigenvalues with their definitions, on seeded random bands. */
import { seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { DIRECT_TOLERANCE, electronicStructure, SMALLEST_GAP } from './band-gap.ts';
import type { Eigenvalues } from './calculator.ts';

const random = seededRandom(1984);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/**
 * Bands around a Fermi energy of 0: in each channel the first `filled` bands are below 0, and the other bands are at
 * least `gap` above the filled bands.
 */
function insulator(gap: number, channels: number): Eigenvalues[] {
  const [kCount, filled, empty] = [
    2 + Math.floor(6 * random()),
    1 + Math.floor(4 * random()),
    1 + Math.floor(4 * random()),
  ];
  const kPoints = times(kCount, (): Vec3 => [random(), random(), random()]);
  return times(channels, () => ({
    kPoints,
    weights: kPoints.map(() => 1 / kCount),
    energies: kPoints.map(() =>
      [...times(filled, () => -gap / 2 - 3 * random()), ...times(empty, () => gap / 2 + 3 * random())].sort(
        (a, b) => a - b,
      ),
    ),
  }));
}

const rows = (channels: readonly Eigenvalues[]): number[][] =>
  channels.flatMap(({ energies }) => energies.map((row) => [...row]));
const shifted = (channels: readonly Eigenvalues[], by: number): Eigenvalues[] =>
  channels.map((channel) => ({
    ...channel,
    energies: channel.energies.map((row) => row.map((e) => e + by)),
  }));

const cases = times(120, (n) => insulator(0.1 + 2 * random(), 1 + (n % 2)));

describe('electronicStructure', () => {
  it('the gap is the lowest empty minus the highest filled level, and direct if both are at one k-point', () => {
    for (const channels of cases) {
      const all = rows(channels).flat();
      const [top, bottom] = [Math.max(...all.filter((e) => e <= 0)), Math.min(...all.filter((e) => e > 0))];
      const vertical = rows(channels).map(
        (row) => Math.min(...row.filter((e) => e > 0)) - Math.max(...row.filter((e) => e <= 0)),
      );
      const found = electronicStructure(channels, 0);
      if (found.isMetal) throw new Error('bands apart are no metal');
      expect(found.gap).toBeCloseTo(bottom - top, 12);
      expect(found.directGap).toBeCloseTo(Math.min(...vertical), 12);
      expect(found.isDirect).toBe(Math.min(...vertical) - (bottom - top) <= DIRECT_TOLERANCE);
      expect(found.fermiEnergy).toBeCloseTo((top + bottom) / 2, 12);
      expect([found.vbm.energy, found.cbm.energy]).toEqual([top, bottom]);
      expect(found.gap).toBeLessThanOrEqual(found.directGap + 1e-12);
    }
  });

  it('the gap does not depend on the zero of energy, the order of k-points and channels, or remote levels', () => {
    for (const channels of cases) {
      const found = electronicStructure(channels, 0);
      if (found.isMetal) throw new Error('bands apart are no metal');
      const moved = electronicStructure(shifted(channels, 7.5), 7.5);
      if (moved.isMetal) throw new Error('a zero of energy makes no metal');
      expect(moved.gap).toBeCloseTo(found.gap, 9);
      expect(moved.isDirect).toBe(found.isDirect);
      const turned = [...channels].reverse().map(({ kPoints, weights, energies }) => ({
        kPoints: [...kPoints].reverse(),
        weights: [...weights].reverse(),
        energies: energies.map((row) => [-50, ...row, 50]).reverse(),
      }));
      expect(electronicStructure(turned, 0)).toMatchObject({ gap: found.gap, directGap: found.directGap });
    }
  });

  it('a level that crosses the Fermi energy makes the crystal a metal, in any channel and at any k-point', () => {
    for (const channels of cases) {
      const channel = Math.floor(random() * channels.length);
      const energies = channels[channel].energies.map((row) => [...row]);
      const k = Math.floor(random() * energies.length);
      const crossing = energies[k].findIndex((e) => e > 0);
      energies[k][crossing] = -1e-3;
      const metal = channels.map((one, n) => (n === channel ? { ...one, energies } : one));
      expect(electronicStructure(metal, 0)).toEqual({ isMetal: true, gap: 0, fermiEnergy: 0 });
    }
  });

  it('raising the empty levels widens the gap by the same amount, and a gap below the smearing does not count', () => {
    for (const channels of cases) {
      const found = electronicStructure(channels, 0);
      if (found.isMetal) continue;
      const lift = (by: number) =>
        channels.map((one) => ({
          ...one,
          energies: one.energies.map((row) => row.map((e) => (e > 0 ? e + by : e))),
        }));
      expect(electronicStructure(lift(0.7), 0).gap).toBeCloseTo(found.gap + 0.7, 9);
      const level = found.vbm.energy + 1e-9;
      const closed = lift(SMALLEST_GAP / 2 - found.gap);
      expect(electronicStructure(closed, level).isMetal).toBe(true);
    }
  });
});
