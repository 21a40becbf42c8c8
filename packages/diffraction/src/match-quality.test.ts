/** Tests that the matcher finds the right phase for simulated and measured patterns among the seed materials. */
import { readFileSync } from 'node:fs';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { removeBackground } from './background.ts';
import { preparePatternQuery } from './pattern-query.ts';
import { readMeasuredPattern } from './read-measured-pattern.ts';
import { type SearchOptions, searchPatterns } from './search-patterns.ts';
import { catalogueOf } from './testing/catalogue.ts';
import { simulatedMeasurement } from './testing/simulated-measurement.ts';

const { materials, index } = catalogueOf(
  readFileSync(new URL('../../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);

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

describe('accuracy of searchPatterns', () => {
  it('finds simulated measurements of seed materials first, with noise, background, zero shift and texture', () => {
    const found = materials
      .filter((_, i) => i % 38 === 5)
      .map(({ id, structure }) => {
        const { x, y } = simulatedMeasurement(structure, { seed: id });
        return ranks(id, x, y);
      });
    expect(found).toHaveLength(45);
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
