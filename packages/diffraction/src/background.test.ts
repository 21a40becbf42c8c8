import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { background, movingAverage, noiseLevel, removeBackground } from './background.ts';
import { crystalliteSizeNm, findPeaks, INSTRUMENT_WIDTH_DEG, scherrerWidthDeg } from './peaks.ts';
import { angleGrid, profile } from './profile.ts';

const x = angleGrid(10, 80, 0.02);
const lines = [22.5, 31.7, 38.2, 38.6, 45.4, 56.5, 66.2].map((twoThetaDeg, i) => ({
  twoThetaDeg,
  intensity: 20 + 13 * i,
}));
/** Curved background with an amorphous hump, 20 to 60 counts. */
const curve = x.map((angle) => 20 + 300 / angle + 25 * Math.exp(-(((angle - 28) / 9) ** 2)));

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function noisy(seed: number, sizeNm: number): { y: Float64Array; clean: Float64Array } {
  const random = seededRandom(seed);
  const clean = profile(lines, { crystalliteSizeNm: sizeNm, wavelength: 1.54184, grid: x }).map(
    (value) => 10 * value,
  );
  return { y: clean.map((value, i) => value + curve[i] + 3 * gaussian(random)), clean };
}

describe('background', () => {
  it.each([1, 2, 3])(
    'follows a curved background with a hump within a few counts under peaks of 1,000 counts (seed %i)',
    (seed) => {
      const level = background(x, noisy(seed, 40).y);
      const errors = Array.from(level, (value, i) => Math.abs(value - curve[i])).sort((a, b) => a - b);
      expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(5);
      expect(errors[Math.floor(errors.length * 0.95)]).toBeLessThan(15);
    },
  );

  it('keeps a flat pattern flat, and exceeds the data by no more than the noise', () => {
    const flat = new Float64Array(500).fill(7);
    for (const value of background(angleGrid(10, 19.98, 0.02), flat)) expect(value).toBeCloseTo(7, 9);
    const { y } = noisy(4, 40);
    const level = background(x, y);
    expect(level.every((value, i) => value <= y[i] + 15)).toBe(true);
  });

  it('subtracting it changes peak heights by at most 5 %', () => {
    const { y, clean } = noisy(5, 40);
    const rest = removeBackground(x, y);
    for (const line of lines) {
      const i = Math.round((line.twoThetaDeg - 10) / 0.02);
      expect(Math.abs(rest[i] - clean[i])).toBeLessThan(0.05 * clean[i] + 10);
    }
  });

  it('refuses unequal or tiny arrays', () => {
    expect(() => background([1, 2], [1, 2])).toThrow(/at least 3/);
    expect(() => background([1, 2, 3], [1, 2])).toThrow(/3 angles and 2/);
  });
});

describe('noiseLevel and movingAverage', () => {
  it('estimates the noise to 15 % in spite of peaks and background', () => {
    for (const seed of [1, 2, 3]) expect(Math.abs(noiseLevel(noisy(seed, 40).y) / 3 - 1)).toBeLessThan(0.15);
  });

  it('the averaging window becomes shorter at the ends', () => {
    expect(Array.from(movingAverage([1, 2, 3, 4], 1))).toEqual([1.5, 2, 3, 3.5]);
  });
});

describe('findPeaks', () => {
  it('finds the lines and no others', () => {
    for (const seed of [1, 2, 3]) {
      const peaks = findPeaks(x, removeBackground(x, noisy(seed, 40).y));
      expect(peaks).toHaveLength(lines.length);
      for (const [i, line] of lines.entries())
        expect(Math.abs(peaks[i].twoThetaDeg - line.twoThetaDeg)).toBeLessThan(0.05);
    }
  });

  it('finds nothing in pure noise', () => {
    const random = seededRandom(9);
    const flat = Float64Array.from({ length: 3000 }, () => 100 + 3 * gaussian(random));
    expect(
      findPeaks(
        angleGrid(10, 69.98, 0.02),
        flat.map((value) => value - 100),
      ).length,
    ).toBeLessThan(3);
  });
});

describe('scherrerWidthDeg and crystalliteSizeNm', () => {
  // β = 0.9 · 0.154184 nm / (10 nm · cos 20°) = 0.01477 rad = 0.846°, calculated by hand.
  it('10 nm at 2θ = 40° gives 0.846° with Cu Kα', () => {
    expect(scherrerWidthDeg(10, 40, 1.54184)).toBeCloseTo(
      ((0.9 * 0.154184) / 10 / Math.cos(Math.PI / 9)) * (180 / Math.PI),
      10,
    );
    expect(scherrerWidthDeg(10, 40, 1.54184)).toBeCloseTo(0.846, 3);
  });

  it.each([10, 20, 40])('recovers a crystallite size of %i nm to 20 %', (size) => {
    const y = profile(lines, { crystalliteSizeNm: size, wavelength: 1.54184, grid: x });
    expect(Math.abs(crystalliteSizeNm(findPeaks(x, y), 1.54184)! / size - 1)).toBeLessThan(0.2);
  });

  it('returns undefined without peaks', () => {
    expect(crystalliteSizeNm([], 1.54184)).toBeUndefined();
  });
});

describe('profile', () => {
  it('a single line keeps its area, and its width combines size and instrument in quadrature', () => {
    const grid = angleGrid(30, 50, 0.01);
    const y = profile([{ twoThetaDeg: 40, intensity: 1 }], {
      crystalliteSizeNm: 30,
      wavelength: 1.54184,
      grid,
    });
    const above = y.filter((value) => value >= 50).length * 0.01;
    expect(above).toBeCloseTo(Math.hypot(scherrerWidthDeg(30, 40, 1.54184), INSTRUMENT_WIDTH_DEG), 1);
    expect(Math.max(...y)).toBe(100);
  });

  it('keeps the ratio of areas of two separate lines', () => {
    const grid = angleGrid(20, 80, 0.01);
    const y = profile(
      [
        { twoThetaDeg: 30, intensity: 1 },
        { twoThetaDeg: 70, intensity: 2 },
      ],
      { crystalliteSizeNm: 20, wavelength: 1.54184, grid },
    );
    const half = y.length / 2;
    const sum = (part: Float64Array): number => part.reduce((total, value) => total + value, 0);
    expect(sum(y.slice(half)) / sum(y.slice(0, half))).toBeCloseTo(2, 1);
  });

  it.each([0, -1, Number.NaN, 1e9])('refuses the particle size %s', (size) => {
    expect(() => profile([], { crystalliteSizeNm: size, wavelength: 1.5, grid: [1, 2] })).toThrow(
      /particle size is .*expected nanometres/,
    );
  });

  it('is zero everywhere if no peak reaches the grid', () => {
    const y = profile([{ twoThetaDeg: 90, intensity: 1 }], {
      crystalliteSizeNm: 50,
      wavelength: 1.5,
      grid: angleGrid(10, 20, 1),
    });
    expect(Array.from(new Set(y))).toEqual([0]);
  });
});
