/** Laws of distances, profiles, packing and the index, on random input. */
import fc from 'fast-check';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { background, movingAverage, removeBackground } from './background.ts';
import {
  buildPatternIndex,
  openPatternIndex,
  packPattern,
  unpackPattern,
  updatedPatternIndex,
} from './pattern-index.ts';
import { preparePatternQuery } from './pattern-query.ts';
import { crystalliteSizeNm, findPeaks, scherrerWidthDeg } from './peaks.ts';
import { angleGrid, profile } from './profile.ts';
import { twoThetaDegOf } from './radiation.ts';
import { searchPatterns } from './search-patterns.ts';
import { dtwDistance, euclideanDistance } from './testing/brute-force-search.ts';

const SEED = { seed: 20_260_101, numRuns: 150 };
const numbers = (length: number) =>
  fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: length, maxLength: length });
const pair = fc.integer({ min: 1, max: 24 }).chain((n) => fc.tuple(numbers(n), numbers(n)));

describe('dynamic time warping', () => {
  it('is symmetric, non-negative, zero only for equivalent paths, and at most the Euclidean distance', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 0, max: 6 }), ([a, b], band) => {
        const warped = dtwDistance(a, b, { cost: 'squared', band });
        expect(warped).toBeGreaterThanOrEqual(0);
        expect(dtwDistance(b, a, { cost: 'squared', band })).toBeCloseTo(warped, 9);
        expect(dtwDistance(a, a, { cost: 'squared', band })).toBe(0);
        expect(warped).toBeLessThanOrEqual(euclideanDistance(a, b) + 1e-9);
      }),
      SEED,
    );
  });

  it('does not grow with a wider band, and does not change under reversal or a common offset', () => {
    fc.assert(
      fc.property(pair, fc.double({ min: -50, max: 50, noNaN: true }), ([a, b], level) => {
        const at = [0, 1, 2, 4, 99].map((band) => dtwDistance(a, b, { band }));
        at.slice(1).forEach((value, i) => expect(value).toBeLessThanOrEqual(at[i] + 1e-9));
        expect(dtwDistance(a.toReversed(), b.toReversed(), { band: 2 })).toBeCloseTo(at[2], 7);
        const raised = (values: number[]) => values.map((value) => value + level);
        expect(dtwDistance(raised(a), raised(b), { band: 2 })).toBeCloseTo(at[2], 7);
      }),
      SEED,
    );
  });

  it('scales with the unit of intensity, for both costs', () => {
    fc.assert(
      fc.property(pair, fc.double({ min: 0.01, max: 100, noNaN: true }), ([a, b], unit) => {
        for (const cost of ['absolute', 'squared'] as const) {
          const one = dtwDistance(a, b, { cost, band: 3 });
          const other = dtwDistance(
            a.map((value) => unit * value),
            b.map((value) => unit * value),
            { cost, band: 3 },
          );
          expect(Math.abs(other - unit * one)).toBeLessThanOrEqual(1e-9 * (1 + unit * one));
        }
      }),
      SEED,
    );
  });

  it('repeated points cost nothing without a band: a stretched sequence has distance 0', () => {
    fc.assert(
      fc.property(
        numbers(9),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 9, maxLength: 9 }),
        (a, times) => {
          const stretched = a.flatMap((value, i) => Array.from({ length: times[i] }, () => value));
          expect(dtwDistance(a, stretched)).toBe(0);
        },
      ),
      SEED,
    );
  });

  it('the Euclidean distance obeys the triangle inequality, but warping does not', () => {
    fc.assert(
      fc.property(numbers(12), numbers(12), numbers(12), (a, b, c) => {
        expect(euclideanDistance(a, c)).toBeLessThanOrEqual(
          euclideanDistance(a, b) + euclideanDistance(b, c) + 1e-9,
        );
      }),
      SEED,
    );
    // This is why the search must not prune by the triangle inequality: 0 1 1 1 2 → 0 1 2 → 0 2 2 2.
    const [x, y, z] = [
      [0, 1, 1, 1, 2],
      [0, 1, 2],
      [0, 2, 2, 2],
    ];
    expect(dtwDistance(x, z)).toBeGreaterThan(dtwDistance(x, y) + dtwDistance(y, z));
  });
});

describe('movingAverage', () => {
  it('is the mean of the window, as found by brute force', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }).chain(numbers),
        fc.integer({ min: 0, max: 9 }),
        (values, half) => {
          const averages = movingAverage(values, half);
          values.forEach((_, i) => {
            const window = values.slice(Math.max(0, i - half), i + half + 1);
            expect(averages[i]).toBeCloseTo(window.reduce((sum, value) => sum + value, 0) / window.length, 8);
          });
        },
      ),
      SEED,
    );
  });
});

describe('background of a known polynomial under known peaks', () => {
  const grid = angleGrid(15, 75, 0.02);
  const lines = [24, 33.3, 41.8, 52.6, 63.1].map((twoThetaDeg, i) => ({
    twoThetaDeg,
    intensity: 30 + 15 * i,
  }));
  const peaks = profile(lines, { crystalliteSizeNm: 60, wavelength: 1.54184, grid });

  it.each([
    ['a constant', (): number => 50],
    ['a slope', (t: number): number => 80 - 40 * t],
    ['a parabola', (t: number): number => 30 + 60 * (t - 0.4) ** 2],
    ['a cubic', (t: number): number => 60 - 50 * t + 20 * t ** 3],
  ])('%s is recovered to 3 % of the highest peak, away from the feet of the peaks', (_, polynomial) => {
    const under = grid.map((angle) => polynomial((angle - 15) / 60));
    const found = background(
      grid,
      peaks.map((value, i) => value + under[i]),
    );
    const clear = [...grid.keys()].filter((i) =>
      lines.every(({ twoThetaDeg }) => Math.abs(grid[i] - twoThetaDeg) > 1),
    );
    expect(clear.length).toBeGreaterThan(2000);
    expect(Math.max(...clear.map((i) => Math.abs(found[i] - under[i])))).toBeLessThan(3);
  });

  it('is proportional to the unit of counts', () => {
    const y = peaks.map((value, i) => value + 20 + 0.01 * i);
    const one = removeBackground(grid, y);
    const thousand = removeBackground(
      grid,
      y.map((value) => 1000 * value),
    );
    const worst = Math.max(...one.map((value, i) => Math.abs(thousand[i] / 1000 - value)));
    expect(worst).toBeLessThan(0.5);
  });

  it('subtracting it leaves no negative value and does not move peaks', () => {
    const rest = removeBackground(
      grid,
      peaks.map((value) => value + 40),
    );
    expect(rest.every((value) => value >= 0)).toBe(true);
    const found = findPeaks(grid, rest);
    expect(found).toHaveLength(lines.length);
    found.forEach(({ twoThetaDeg }, i) =>
      expect(Math.abs(twoThetaDeg - lines[i].twoThetaDeg)).toBeLessThan(0.03),
    );
  });
});

describe('profile', () => {
  it('is linear in its peaks up to the common scale, and scaling it again changes nothing', () => {
    const grid = angleGrid(20, 60, 0.02);
    const options = { crystalliteSizeNm: 40, wavelength: 1.54184, grid };
    const list = [
      { twoThetaDeg: 30, intensity: 10 },
      { twoThetaDeg: 45, intensity: 4 },
    ];
    const once = profile(list, options);
    const scaled = profile(
      list.map((peak) => ({ ...peak, intensity: 7 * peak.intensity })),
      options,
    );
    const doubled = profile([...list, ...list], options);
    once.forEach((value, i) => {
      expect(scaled[i]).toBeCloseTo(value, 9);
      expect(doubled[i]).toBeCloseTo(value, 9);
    });
  });

  it('Scherrer widths fall as 1/size and grow as 1/cos θ', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2, max: 200, noNaN: true }),
        fc.double({ min: 5, max: 150, noNaN: true }),
        (size, angle) => {
          const width = scherrerWidthDeg(size, angle, 1.54184);
          expect(scherrerWidthDeg(2 * size, angle, 1.54184) / width).toBeCloseTo(0.5, 9);
          const cosine = (twoTheta: number) => Math.cos((twoTheta * Math.PI) / 360);
          expect(scherrerWidthDeg(size, 5, 1.54184) / width).toBeCloseTo(cosine(angle) / cosine(5), 9);
        },
      ),
      SEED,
    );
    expect(crystalliteSizeNm([], 1.54184)).toBeUndefined();
  });
});

describe('packPattern and the pattern index', () => {
  const random = seededRandom(77);
  const entry = (id: number) => {
    const dSpacings = Array.from({ length: 6 + Math.floor(20 * random()) }, () => 1.2 + 6 * random() ** 2);
    return { id, packed: packPattern({ dSpacings, intensities: dSpacings.map(() => 0.05 + random()) }) };
  };
  const patterns = Array.from({ length: 120 }, (_, id) => entry(id + 1));
  const index = buildPatternIndex(patterns);
  const grid = angleGrid(10, 80, 0.02);
  const measured = (packed: Uint8Array) => {
    const { dSpacings, intensities } = unpackPattern(packed);
    const peaks = Array.from(dSpacings, (d, i) => ({
      twoThetaDeg: twoThetaDegOf(d, 1.54184),
      intensity: intensities[i],
    })).filter(({ twoThetaDeg }) => twoThetaDeg > 0);
    return preparePatternQuery(grid, profile(peaks, { crystalliteSizeNm: 60, wavelength: 1.54184, grid }));
  };

  it('packed bytes do not depend on the order of the lines or the unit of intensity', () => {
    for (let round = 0; round < 40; round++) {
      const lines = Array.from({ length: 30 }, () => [1.1 + 8 * random(), 0.05 + random()] as const);
      const pack = (list: typeof lines, unit: number) =>
        packPattern({ dSpacings: list.map(([d]) => d), intensities: list.map(([, value]) => unit * value) });
      const bytes = pack(lines, 1);
      expect(pack(lines.toReversed(), 1)).toEqual(bytes);
      expect(pack(lines, 64)).toEqual(bytes);
    }
  });

  it('an index opened from its bytes gives the same hits', () => {
    const query = measured(patterns[40].packed);
    const [fresh] = [searchPatterns(index, query, { top: 8 })];
    const opened = openPatternIndex(index.buffer);
    expect(searchPatterns(opened, query, { top: 8 })).toEqual(fresh);
    expect(fresh[0].id).toBe(41);
  });

  it('the pruned search finds the same hits as a comparison of every candidate', () => {
    for (const place of [3, 57, 110]) {
      const query = measured(patterns[place].packed);
      const best = searchPatterns(index, query, { top: 5 });
      const alone = patterns
        .flatMap((_, position) => searchPatterns(index, query, { top: 1, candidates: [position] }))
        .sort((a, b) => a.distance - b.distance)
        .slice(0, 5);
      expect(best.map(({ id }) => id)).toEqual(alone.map(({ id }) => id));
      best.forEach(({ distance }, i) => expect(distance).toBeCloseTo(alone[i].distance, 9));
    }
  });

  it('adding and removing gives the same index as building from the remaining entries', () => {
    const halves = [patterns.slice(0, 60), patterns.slice(60)];
    const grown = updatedPatternIndex(buildPatternIndex(halves[0]), { add: halves[1] });
    const query = measured(patterns[80].packed);
    expect(searchPatterns(grown, query, { top: 6 })).toEqual(searchPatterns(index, query, { top: 6 }));
    const cut = updatedPatternIndex(index, { remove: [81] });
    expect(searchPatterns(cut, query, { top: 6 }).every(({ id }) => id !== 81)).toBe(true);
    expect([...cut.ids]).toHaveLength(119);
  });
});
