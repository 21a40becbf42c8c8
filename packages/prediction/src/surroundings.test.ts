/** The limits of isUsual, on hand-written graphs. */
import { elementBySymbol } from '@unitcell/elements';
import { describe, expect, it } from 'vitest';
import { type CrystalGraph, GRAPH_RADIUS } from './crystal-graph.ts';
import { isUsual } from './predict.ts';

const FE = elementBySymbol('Fe');
const O = elementBySymbol('O');
/** Å, Cordero 2008: 1.32 (iron, low spin) and 0.66. */
const [iron, oxygen] = [FE.covalentRadius ?? 0, O.covalentRadius ?? 0];

/**
 * Iron and oxygen, one each, that are `weight`-fold neighbours at a distance, and neighbours of themselves at
 * `own`.
 */
const pair = (distance: number, weight = 1, own = 5): CrystalGraph => ({
  atomicNumbers: Uint8Array.of(FE.number, O.number),
  shares: Float64Array.of(0.5, 0.5),
  rowStarts: Uint32Array.of(0, 2, 4),
  sources: Uint32Array.of(1, 0, 0, 1),
  distances: Float64Array.of(distance, own, distance, own),
  weights: Float64Array.of(weight, 1, weight, 1),
});
/** Ranges of iron and oxygen: nearest distance and neighbour density. */
function rangesOf(of: readonly [number, number, number, number]): number[] {
  const ranges = Array.from({ length: 104 * 4 }, () => 0);
  for (const { number } of [FE, O]) ranges.splice(4 * number, 4, ...of);
  return ranges;
}
const SMALL_CELL = 10;

describe('isUsual', () => {
  const bond = iron + oxygen;

  it('accepts a nearest neighbour at 0.65 to 2 sums of the covalent radii', () => {
    const usual = (length: number): boolean => isUsual(undefined, pair(length, 1, 5.4), SMALL_CELL);
    expect([0.64, 0.66, 1, 1.99, 2.01].map((share) => usual(share * bond))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    // The nearest neighbour by radii is not the nearest by length: two irons at 2 Å are closer in units of
    // their radii than iron and oxygen at 1.7 Å.
    expect(1.7 / bond).toBeGreaterThan(2 / (2 * iron));
    expect(isUsual(undefined, pair(1.7, 1, 2), SMALL_CELL)).toBe(true);
    expect(isUsual(undefined, pair(1.7, 1, 0.6 * 2 * iron), SMALL_CELL)).toBe(false);
  });

  it('accepts nearest distances and neighbour densities within the ranges of the element, ends included', () => {
    const neighbourDensity =
      0.5 * (1 + Math.cos((Math.PI * 2) / GRAPH_RADIUS)) * 6 +
      0.5 * (1 + Math.cos((Math.PI * 5) / GRAPH_RADIUS));
    const usual = (low: number, high: number, few: number, many: number): boolean =>
      isUsual(rangesOf([low, high, few, many]), pair(2, 6), SMALL_CELL);
    expect(usual(2, 2, neighbourDensity - 1e-9, neighbourDensity + 1e-9)).toBe(true);
    expect(usual(2.001, 3, 0, 99)).toBe(false);
    expect(usual(1, 1.999, 0, 99)).toBe(false);
    expect(usual(1, 3, neighbourDensity + 1e-6, 99)).toBe(false);
    expect(usual(1, 3, 0, neighbourDensity - 1e-6)).toBe(false);
  });

  it('requires every atom to be usual: one element without training data is enough to refuse', () => {
    const ranges = rangesOf([1, 3, 0, 99]);
    expect(isUsual(ranges, pair(2), SMALL_CELL)).toBe(true);
    expect(isUsual(ranges.fill(0, 4 * O.number, 4 * O.number + 4), pair(2), SMALL_CELL)).toBe(false);
  });

  it('accepts cells of at most 25 times the volume of the spheres of their atoms', () => {
    const spheres = (4 / 3) * Math.PI * 0.5 * (iron ** 3 + oxygen ** 3);
    expect(isUsual(undefined, pair(2), 24.99 * spheres)).toBe(true);
    expect(isUsual(undefined, pair(2), 25.01 * spheres)).toBe(false);
  });

  it('refuses an isolated atom without neighbours', () => {
    const alone = { ...pair(2), rowStarts: Uint32Array.of(0, 2, 2) };
    expect(isUsual(undefined, alone, SMALL_CELL)).toBe(false);
  });
});
