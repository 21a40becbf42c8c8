/** Tests that the matcher finds the right phase for simulated and measured patterns among the seed materials. */
import { readFileSync } from 'node:fs';
import { reciprocalLattice, type Structure } from '@unitcell/crystal';
import { dot3, norm3, type RandomSource, rowTimesMatrix3, seededRandom } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { removeBackground } from './background.ts';
import { preparePatternQuery } from './pattern-query.ts';
import { angleGrid, profile } from './profile.ts';
import { REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';
import { readMeasuredPattern } from './read-measured-pattern.ts';
import { type SearchOptions, searchPatterns } from './search-patterns.ts';
import { reflections } from './structure-factors.ts';
import { catalogueOf } from './testing/catalogue.ts';

const { materials, index } = catalogueOf(
  readFileSync(new URL('../../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);

/** A normal deviate from two uniform ones (Box and Muller 1958). */
const normal = (random: RandomSource): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Background with an air-scatter tail and an amorphous hump, relative to a highest peak of 1. */
const backgroundAt = (twoThetaDeg: number): number =>
  0.1 + 0.3 * Math.exp(-(twoThetaDeg - 10) / 12) + 0.08 * Math.exp(-(((twoThetaDeg - 26) / 8) ** 2));

/** Standard deviation of the noise, as a share of the highest point. */
const NOISE = 0.05;
const ZERO_SHIFT_DEG = 0.05;
/**
 * Parameter of March's function for plates that lie flat. The function is applied to every reflection before
 * reflections at equal angles are joined. W. A. Dollase, J. Appl. Cryst. 19, 267 (1986),
 * doi:10.1107/S0021889886089458.
 */
const MARCH = 0.7;

/** A pattern as a diffractometer with Cu Kα might record it. The seed determines the axis of orientation. */
function simulatedMeasurement(structure: Structure, seed: number): { x: Float64Array; y: Float64Array } {
  const random = seededRandom(seed);
  const wavelength = REFERENCE_WAVELENGTH;
  const reciprocal = reciprocalLattice(structure.latticeVectors);
  const axis = reciprocal[Math.floor(3 * random())];
  const found = reflections(structure, { wavelength, twoThetaRangeDeg: [9, 91] });
  // Equivalent reflections share an angle but not a weight. They are combined into one peak to save time.
  const peaks = new Map<string, { twoThetaDeg: number; intensity: number }>();
  for (let i = 0; i < found.count; i++) {
    const g = rowTimesMatrix3([found.h[i], found.k[i], found.l[i]], reciprocal);
    const cosine = dot3(g, axis) / (norm3(g) * norm3(axis));
    const weight = (MARCH * MARCH * cosine * cosine + (1 - cosine * cosine) / MARCH) ** -1.5;
    const twoThetaDeg = twoThetaDegOf(1 / Math.sqrt(found.inverseDSquared[i]), wavelength) + ZERO_SHIFT_DEG;
    const key = twoThetaDeg.toFixed(4);
    const peak = peaks.get(key) ?? { twoThetaDeg, intensity: 0 };
    peak.intensity += found.intensity[i] * weight;
    peaks.set(key, peak);
  }
  const x = angleGrid(10, 90, 0.02);
  const clean = profile([...peaks.values()], { crystalliteSizeNm: 30, wavelength, grid: x });
  const y = clean.map((value, i) => Math.max(0, value + 100 * (backgroundAt(x[i]) + NOISE * normal(random))));
  return { x, y };
}

/**
 * Ranks of the material for a pattern, without and with its elements as a filter: from 1, or 0 if not among the first
 * ten.
 */
function ranks(id: number, x: Float64Array, y: Float64Array): [number, number] {
  const query = preparePatternQuery(x, removeBackground(x, y));
  const system = materials.find((material) => material.id === id)?.system;
  const candidates = [...materials.keys()].filter((i) => materials[i].system === system);
  const place = (options: SearchOptions): number =>
    searchPatterns(index, query, options).findIndex((hit) => hit.id === id) + 1;
  return [place({}), place({ candidates })];
}

const shareOf = (list: readonly boolean[]): number => list.filter(Boolean).length / list.length;

const every = process.env.NIGHTLY ? 38 : 114;

describe('accuracy of searchPatterns', () => {
  it('finds simulated measurements of seed materials first, with noise, background, zero shift and texture', () => {
    const found = materials
      .filter((_, i) => i % every === 5)
      .map(({ id, structure }) => {
        const { x, y } = simulatedMeasurement(structure, id);
        return ranks(id, x, y);
      });
    expect(found).toHaveLength(Math.ceil((materials.length - 5) / every));
    expect(shareOf(found.map(([rank]) => rank === 1))).toBeGreaterThanOrEqual(0.9);
    expect(shareOf(found.map(([rank]) => rank > 0))).toBe(1);
    expect(shareOf(found.map(([, filtered]) => filtered === 1))).toBeGreaterThanOrEqual(0.97);
  });

  it.each([
    ['halite', 486],
    ['zincite', 166],
  ])('finds a measured pattern of %s among all seed materials', (phase, id) => {
    const { x, y } = readMeasuredPattern(readFileSync(new URL(`fixtures/${phase}.txt`, import.meta.url)));
    expect(ranks(id, Float64Array.from(x), Float64Array.from(y))).toEqual([1, 1]);
  });

  it.skipIf(!hasSharedData)('finds all measured patterns of phases that are seed materials', () => {
    const measured: Record<string, number> = {
      anatase: 143,
      calcite: 466,
      chalcopyrite: 548,
      corundum: 137,
      dolomite: 469,
      fluorapatite: 477,
      fosterite: 181,
      halite: 486,
      magnetite: 160,
      ramsdellite: 106,
      sulfur: 58,
      zincite: 166,
    };
    const found = Object.entries(measured).map(([file, id]) => {
      const pattern = readMeasuredPattern(readFileSync(sharedPath('datasets', 'xrd-exp', `${file}.txt`)));
      return ranks(id, Float64Array.from(pattern.x), Float64Array.from(pattern.y));
    });
    expect(shareOf(found.map(([rank]) => rank > 0))).toBe(1);
    expect(shareOf(found.map(([rank]) => rank === 1))).toBeGreaterThanOrEqual(0.75);
    expect(shareOf(found.map(([, filtered]) => filtered === 1))).toBe(1);
  });
});
