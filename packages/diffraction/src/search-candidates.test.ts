import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { buildPatternIndex, packPattern } from './pattern-index.ts';
import { preparePatternQuery } from './pattern-query.ts';
import { angleGrid, profile } from './profile.ts';
import {
  BOUND_CHUNK,
  BOUND_SLACK,
  BoundKernel,
  DTW_BAND_CELLS,
  searchTables,
  strainPenalty,
} from './search-candidates.ts';
import { dtwDistance, renderedReference } from './testing/brute-force-search.ts';

const random = seededRandom(12);
const index = buildPatternIndex(
  Array.from({ length: 300 }, (_, id) => {
    // Numbers of lines per candidate: from zero (or only lines outside the query) to many overlapping ones.
    const count = id % 7 === 0 ? id % 2 : 1 + Math.floor(120 * random() ** 2);
    const dSpacings = Array.from({ length: count }, () => (count === 1 ? 20 : 1 + 8 * random() ** 2));
    return { id, packed: packPattern({ dSpacings, intensities: dSpacings.map(() => random() ** 2 + 1e-3) }) };
  }),
);

describe('BoundKernel', () => {
  it.each([
    [12, 8],
    [30, 25],
    [150, 60],
  ])(
    'never exceeds the squared distance and comes close to it (%i nm, %i peaks)',
    (crystalliteSizeNm, count) => {
      const grid = angleGrid(10, 80, 0.02);
      const peaks = Array.from({ length: count }, () => ({
        twoThetaDeg: 12 + 65 * random(),
        intensity: random(),
      }));
      const query = preparePatternQuery(
        grid,
        profile(peaks, { crystalliteSizeNm, wavelength: 1.54184, grid }),
      );
      const tables = searchTables(query, 5);
      const kernel = new BoundKernel(index, query, tables);
      const all = [...index.ids.keys()];
      let [bounds, distances] = [0, 0];
      for (const from of [0, BOUND_CHUNK]) {
        const positions = all.slice(from, from + BOUND_CHUNK);
        const found = kernel.run(positions.length, (n) => positions[n], Number.POSITIVE_INFINITY);
        for (const [n, position] of positions.entries()) {
          const [begin, end] = [index.start[position], index.start[position + 1]];
          const drawn = renderedReference(
            query,
            index.cells.subarray(begin, end),
            index.amplitudes.subarray(begin, end),
          );
          if (!drawn) continue;
          const squared = Math.min(
            ...Array.from(tables.dtwShifts, (shift) => {
              const shifted = drawn.map((_, i) => drawn[i - shift] ?? 0);
              const one = dtwDistance(query.amplitudes, shifted, { cost: 'squared', band: DTW_BAND_CELLS });
              return one ** 2 + strainPenalty(shift);
            }),
          );
          expect(found[n]).toBeLessThanOrEqual(squared + BOUND_SLACK / 10);
          bounds += found[n];
          distances += squared;
        }
      }
      expect(bounds / distances).toBeGreaterThan(0.9);
    },
  );

  it('gives the same bounds for adjacent candidates of the index as for each candidate alone', () => {
    const grid = angleGrid(10, 80, 0.02);
    const y = profile([{ twoThetaDeg: 30, intensity: 1 }], {
      crystalliteSizeNm: 30,
      wavelength: 1.54184,
      grid,
    });
    const query = preparePatternQuery(grid, y);
    const kernel = new BoundKernel(index, query, searchTables(query, 5));
    const together = kernel.run(100, (n) => n, Number.POSITIVE_INFINITY).slice(0, 100);
    const everySecond = kernel.run(50, (n) => 2 * n, Number.POSITIVE_INFINITY);
    for (let n = 0; n < 50; n++) expect(everySecond[n]).toBe(together[2 * n]);
  });
});
