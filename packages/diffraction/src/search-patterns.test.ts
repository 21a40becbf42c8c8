import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  buildPatternIndex,
  openPatternIndex,
  packPattern,
  type PatternEntry,
  type PatternIndex,
  updatedPatternIndex,
} from './pattern-index.ts';
import { type PatternQuery, preparePatternQuery } from './pattern-query.ts';
import { angleGrid, profile } from './profile.ts';
import { dSpacingOf, twoThetaDegOf } from './radiation.ts';
import { type MatchMethod, searchPatterns, strainOfShift } from './search-patterns.ts';
import { DTW_BAND_CELLS, DTW_SHIFT_STEP, strainPenalty } from './search-candidates.ts';
import { dtwDistance, euclideanDistance, renderedReference } from './testing/brute-force-search.ts';

const WAVELENGTH = 1.54184;
const grid = angleGrid(8, 70, 0.02);

interface Lines {
  dSpacings: number[];
  intensities: number[];
}

/** Random patterns in families. Members of a family differ by a strain and by intensities, like isotypes. */
function randomLines(seed: number, count: number, familySize = 4): Lines[] {
  const random = seededRandom(seed);
  const families = Array.from({ length: Math.ceil(count / familySize) }, () =>
    Array.from(
      { length: 3 + Math.floor(random() * 60) },
      () => [1.2 + 7 * random() ** 2, random() ** 2 + 0.01] as const,
    ),
  );
  return Array.from({ length: count }, (_, i) => {
    const strain = 1 + 0.03 * (random() - 0.5);
    const family = families[i % families.length];
    return {
      dSpacings: family.map(([d]) => d * strain * (1 + 0.004 * (random() - 0.5))),
      intensities: family.map(([, intensity]) => intensity * (0.6 + 0.8 * random())),
    };
  });
}

function measured({ dSpacings, intensities }: Lines, strain: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const peaks = dSpacings.map((d, i) => ({
    twoThetaDeg: twoThetaDegOf(d * strain, WAVELENGTH),
    intensity: intensities[i],
  }));
  const y = profile(peaks, { crystalliteSizeNm: 30, wavelength: WAVELENGTH, grid });
  return y.map((value) => Math.max(0, value + random() - 0.5));
}

const entriesOf = (patterns: readonly Lines[]): PatternEntry[] =>
  patterns.map((lines, i) => ({ id: 1000 + 3 * i, packed: packPattern(lines) }));

/** Draws every candidate and compares it at every shift with the plain distance functions. */
function bruteForce(index: PatternIndex, query: PatternQuery, method: MatchMethod, shifts: number) {
  const all: { id: number; distance: number }[] = [];
  for (let i = 0; i < index.count; i++) {
    const [from, to] = [index.start[i], index.start[i + 1]];
    const reference = renderedReference(
      query,
      index.cells.subarray(from, to),
      index.amplitudes.subarray(from, to),
    );
    if (!reference) continue;
    let distance = Number.POSITIVE_INFINITY;
    const step = method === 'DTW' ? DTW_SHIFT_STEP : 1;
    for (let shift = step * -Math.floor(shifts / step); shift <= shifts; shift += step) {
      const shifted = reference.map((_, x) => reference[x - shift] ?? 0);
      const one =
        method === 'DTW'
          ? dtwDistance(query.amplitudes, shifted, { cost: 'squared', band: DTW_BAND_CELLS })
          : euclideanDistance(query.amplitudes, shifted);
      distance = Math.min(distance, Math.sqrt(one ** 2 + strainPenalty(shift)));
    }
    all.push({ id: index.ids[i], distance });
  }
  return all.sort((a, b) => a.distance - b.distance || a.id - b.id);
}

const patterns = randomLines(1, 240);
const index = buildPatternIndex(entriesOf(patterns));

describe('searchPatterns', () => {
  it.each([
    ['DTW', 5],
    ['DTW', 77],
    ['DTW', 120],
    ['Euclidean', 5],
    ['Euclidean', 77],
    ['Euclidean', 120],
  ] as const)('with %s equals brute force over all shifts (pattern %i)', (method, which) => {
    const query = preparePatternQuery(grid, measured(patterns[which], 1.008, which));
    const expected = bruteForce(index, query, method, 5);
    const hits = searchPatterns(index, query, { method, top: 25 });
    expect(hits).toHaveLength(25);
    for (const [i, hit] of hits.entries()) {
      expect(Math.abs(hit.distance - expected[i].distance)).toBeLessThan(1e-7);
      expect(Math.abs(hit.distance - expected.find((one) => one.id === hit.id)!.distance)).toBeLessThan(1e-7);
    }
  });

  it('gives the same distances as brute force, even for a query unlike any entry and without strain', () => {
    const query = preparePatternQuery(grid, measured(randomLines(99, 1)[0], 1, 3));
    for (const method of ['DTW', 'Euclidean'] as const)
      for (const [maxStrain, shifts] of [
        [0.02, 5],
        [0, 0],
      ] as const) {
        const expected = bruteForce(index, query, method, shifts);
        const hits = searchPatterns(index, query, { method, top: 12, maxStrain });
        expect(hits.map(({ id }) => id)).toEqual(expected.slice(0, 12).map(({ id }) => id));
        for (const [i, hit] of hits.entries())
          expect(Math.abs(hit.distance - expected[i].distance)).toBeLessThan(1e-7);
      }
  });

  it.each([1.015, 0.988])('finds the pattern itself first and reports its strain: %f', (strain) => {
    const strangers = randomLines(2, 60, 1);
    for (const method of ['DTW', 'Euclidean'] as const) {
      const query = preparePatternQuery(grid, measured(strangers[10], strain, 4));
      const [hit] = searchPatterns(buildPatternIndex(entriesOf(strangers)), query, { method });
      expect(hit?.id).toBe(1030);
      expect(Math.abs(1 + hit.strain - strain)).toBeLessThan(0.0025);
    }
  });

  it.each([
    ['are excluded', { excluded: [[20, 40]] }, () => true],
    ['lie in a gap between two ranges', {}, (angle: number) => angle < 20 || angle > 40],
  ] as const)('finds the pattern itself if half of its lines %s', (_, options, isMeasured) => {
    const [own, other] = [measured(patterns[60], 1, 5), measured(patterns[7], 1, 5)];
    const y = own.map((value, i) => (grid[i] < 20 || grid[i] > 40 ? value : other[i]));
    const [kept, heights] = [grid, y].map((values) => values.filter((__, i) => isMeasured(grid[i])));
    const query = preparePatternQuery(kept, heights, options);
    const [hit] = searchPatterns(index, query, { method: 'Euclidean' });
    expect([hit.position, hit.distance < 0.4]).toEqual([60, true]);
    expect(bruteForce(index, query, 'Euclidean', 5)[0].distance).toBeCloseTo(hit.distance, 9);
  });

  it('finds the pattern measured with another radiation', () => {
    const wavelength = 0.71073;
    const molybdenum = angleGrid(4, 32, 0.01);
    const peaks = patterns[42].dSpacings.map((d, i) => ({
      twoThetaDeg: twoThetaDegOf(d, wavelength),
      intensity: patterns[42].intensities[i],
    }));
    const y = profile(peaks, {
      crystalliteSizeNm: 60,
      wavelength,
      grid: molybdenum,
      instrumentWidthDeg: 0.05,
    });
    const query = preparePatternQuery(molybdenum, y, { wavelength });
    expect(searchPatterns(index, query, { top: 8 }).map((hit) => hit.id)).toContain(1000 + 3 * 42);
    expect(dSpacingOf(32, wavelength)).toBeLessThan(1.3);
  });

  it('searches only the given candidates, and several threads with a shared bound cover all of them', () => {
    const query = preparePatternQuery(grid, measured(patterns[60], 1, 5));
    const few = searchPatterns(index, query, { candidates: [3, 9, 60, 200], top: 3 });
    expect(few[0]?.position).toBe(60);
    expect(few.every((hit) => [3, 9, 60, 200].includes(hit.position))).toBe(true);
    const whole = searchPatterns(index, query, { top: 10 });
    let bound = Number.POSITIVE_INFINITY;
    const shared = {
      top: 10,
      knownBound: () => bound,
      onBound: (distance: number) => {
        bound = Math.min(bound, distance);
      },
    };
    const parts = [[0, 100] as const, [100, 240] as const].flatMap((range) =>
      searchPatterns(index, query, { ...shared, range }),
    );
    parts.sort((a, b) => a.distance - b.distance || a.position - b.position);
    expect(parts.slice(0, 10)).toEqual(whole);
  });

  it('stops when shouldStop returns true', () => {
    const query = preparePatternQuery(grid, measured(patterns[60], 1, 5));
    expect(() => searchPatterns(index, query, { shouldStop: () => true })).toThrow(/cancelled/);
  });

  it('reports strains as relative changes of the cell: five grid cells are 2 %', () => {
    expect(strainOfShift(-5)).toBeCloseTo(0.0202, 4);
    expect(strainOfShift(0)).toBeCloseTo(0, 15);
  });
});

describe('pattern index', () => {
  it('is unchanged after a round trip through bytes, shared or not', () => {
    const shared = buildPatternIndex(entriesOf(patterns), { shared: true });
    expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer);
    const copy = openPatternIndex(new Uint8Array(shared.buffer).slice().buffer);
    expect(copy.ids).toEqual(index.ids);
    expect(copy.cells).toEqual(index.cells);
    expect(copy.amplitudes).toEqual(index.amplitudes);
    expect(copy.start).toEqual(index.start);
  });

  it('gives the same index after adding, replacing and removing as when built at once', () => {
    const entries = entriesOf(patterns);
    const half = buildPatternIndex([...entries.slice(100), { id: 7, packed: entries[0].packed }]);
    const replaced = updatedPatternIndex(half, {
      add: [{ id: 1300, packed: entries[3].packed }, ...entries.slice(0, 100)],
    });
    const back = updatedPatternIndex(replaced, { add: [entries[100]], remove: [7, 99999] });
    expect(new Uint8Array(back.buffer)).toEqual(new Uint8Array(index.buffer));
  });

  it('finds nothing in an empty index', () => {
    const query = preparePatternQuery(grid, measured(patterns[60], 1, 5));
    expect(searchPatterns(buildPatternIndex([]), query)).toEqual([]);
  });

  it('refuses bytes of another kind and invalid ids', () => {
    expect(() => openPatternIndex(new ArrayBuffer(10))).toThrow(/not a pattern index/);
    expect(() => openPatternIndex(index.buffer.slice(0, index.buffer.byteLength - 4))).toThrow(/rebuild/);
    expect(() => buildPatternIndex([{ id: -1, packed: entriesOf(patterns)[0].packed }])).toThrow(
      /material id -1/,
    );
  });
});

describe('preparePatternQuery', () => {
  it('gives the same amplitudes for a variable slit as for a fixed slit', () => {
    const lines = { dSpacings: [4.2, 3.3, 2.4, 1.8, 1.5], intensities: [20, 100, 40, 60, 30] };
    const fixed = profile(
      lines.dSpacings.map((d, i) => ({
        twoThetaDeg: twoThetaDegOf(d, WAVELENGTH),
        intensity: lines.intensities[i],
      })),
      { crystalliteSizeNm: 30, wavelength: WAVELENGTH, grid },
    );
    // The slit keeps the irradiated length, so the sample receives more at high angles.
    const variable = fixed.map((value, i) => value * Math.sin((grid[i] * Math.PI) / 360));
    const size = { crystalliteSizeNm: 30 };
    const expected = preparePatternQuery(grid, fixed, size).amplitudes;
    const found = preparePatternQuery(grid, variable, { ...size, isSlitVariable: true }).amplitudes;
    expect(Math.max(...expected.map((value, i) => Math.abs(found[i] - value)))).toBeLessThan(0.02);
    const uncorrected = preparePatternQuery(grid, variable, size).amplitudes;
    expect(Math.max(...expected.map((value, i) => Math.abs(uncorrected[i] - value)))).toBeGreaterThan(0.05);
  });

  it('refuses a pattern with nothing above the noise, and a wrong wavelength', () => {
    expect(() => preparePatternQuery(grid, new Float64Array(grid.length))).toThrow(
      /nothing rises above the noise/,
    );
    expect(() => preparePatternQuery(grid, measured(patterns[0], 1, 1), { wavelength: 0 })).toThrow(
      /wavelength is 0/,
    );
  });
});
