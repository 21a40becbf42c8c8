import { describe, expect, it } from 'vitest';
import type { ChartColors } from '../plot/chart-theme.ts';
import { bestScale, matchFigure, type MatchFigure, overlayOf, resample, thinned } from './match-figure.ts';

describe('resample', () => {
  const curve = { x: [10, 20, 40], y: [0, 10, 30] };

  it('is linear between points and zero outside them', () => {
    expect(resample(curve, [5, 10, 15, 20, 30, 40, 41])).toEqual([0, 0, 5, 10, 20, 30, 0]);
  });

  it('is zero everywhere for an empty curve', () => {
    expect(resample({ x: [], y: [] }, [1, 2])).toEqual([0, 0]);
  });
});

describe('bestScale', () => {
  it('finds the factor of a scaled copy, and none for unrelated curves', () => {
    expect(bestScale([2, 4, 6], [1, 2, 3])).toBeCloseTo(2);
    expect(bestScale([1, 0, 0], [0, 0, 1])).toBe(0);
    expect(bestScale([1, 2], [0, 0])).toBe(0);
  });
});

describe('overlayOf', () => {
  it('leaves no difference for a measurement that is the scaled reference', () => {
    const x = Array.from({ length: 50 }, (_, i) => i);
    const peak = x.map((angle) => Math.exp(-((angle - 25) ** 2) / 8));
    const { scale, difference } = overlayOf({ x, y: peak.map((value) => 340 * value) }, { x, y: peak });
    expect(scale).toBeCloseTo(340);
    expect(Math.max(...difference.map(Math.abs))).toBeLessThan(1e-9);
  });

  it('adds the remaining background', () => {
    const x = [1, 2, 3];
    const { calculated, difference } = overlayOf({ x, y: [7, 27, 7] }, { x, y: [0, 100, 0] }, [7, 7, 7]);
    expect(calculated).toEqual([7, 27, 7]);
    expect(difference).toEqual([0, 0, 0]);
  });
});

describe('thinned', () => {
  const x = Array.from({ length: 40_000 }, (_, i) => i / 400);
  const y = x.map((_, i) => (i === 12_345 ? 900 : i % 7));

  it('keeps the range, the order and every peak', () => {
    const { x: angles, y: values } = thinned({ x, y });
    expect(angles.length).toBeLessThanOrEqual(6000);
    expect(Math.max(...values)).toBe(900);
    expect(angles).toEqual(angles.toSorted((a, b) => a - b));
  });

  it('leaves short curves unchanged', () => {
    const curve = { x: [1, 2], y: [3, 4] };
    expect(thinned(curve)).toBe(curve);
  });
});

const colors: ChartColors = {
  ink: '#000',
  faint: '#888',
  rule: '#ccc',
  surface: '#fff',
  series: ['blue', 'red', 'green', 'gold', 'violet'],
  stable: 'green',
  unstable: 'red',
  highlight: 'gold',
};
const t = ((key: string) => key) as Parameters<typeof matchFigure>[2];

const x = Array.from({ length: 301 }, (_, i) => 20 + i / 10);
const peak = (at: number, height: number) => x.map((angle) => height * Math.exp(-((angle - at) ** 2) / 0.05));
const reflection = { twoThetaDeg: 30, intensity: 100, forms: '(1 1 1) ×8', dSpacing: 2.98, height: 100 };
const measured = { x, y: peak(30, 900) };
const alone: MatchFigure = {
  measured,
  before: null,
  reference: null,
  explained: [],
  unexplained: [],
  isRest: false,
  range: [20, 50],
  isNarrow: false,
};
const names = (picture: MatchFigure) => matchFigure(picture, colors, t).data.map(({ name }) => name);
const matched = (y: number[]): MatchFigure => ({
  ...alone,
  measured: { x, y },
  reference: { name: 'A', reflections: [reflection], overlay: overlayOf({ x, y }, measured) },
});

describe('matchFigure', () => {
  it('draws a single measurement without a legend', () => {
    expect(names(alone)).toEqual(['measured']);
    expect(matchFigure(alone, colors, t).layout).toMatchObject({ showlegend: false });
  });

  it('draws the reference, its ticks and the difference on common angles', () => {
    const { data, layout } = matchFigure(matched(measured.y), colors, t);
    expect(data.map(({ name }) => name)).toEqual(['measured', 'A', 'A', 'difference']);
    expect(layout.annotations?.[0]).toMatchObject({ x: 30, text: '111' });
  });

  it('shows the whole difference, however large it is', () => {
    const { layout } = matchFigure(
      matched(peak(30, 100).map((v, i) => v + (peak(40, 900)[i] ?? 0))),
      colors,
      t,
    );
    const [low = 0, high = 0] = (layout.yaxis2?.range ?? []) as number[];
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThanOrEqual(900 - 1e-6);
  });

  it('marks unexplained peaks above the measurement', () => {
    const [, mark] = matchFigure({ ...alone, unexplained: [30] }, colors, t).data as { y: number[] }[];
    expect(mark?.y[0]).toBeGreaterThan(900);
  });

  it('names removed phases, and labels the remaining pattern as the rest', () => {
    const rest = {
      ...alone,
      isRest: true,
      before: measured,
      explained: [{ name: 'B', reflections: [reflection] }],
    };
    expect(names(rest)).toEqual(['measured', 'rest', 'B']);
  });

  it('takes its height from the visible range', () => {
    const top = (range: readonly [number, number]): number =>
      matchFigure({ ...alone, range }, colors, t).layout.yaxis?.range?.[1] as number;
    expect(top([20, 50])).toBeGreaterThan(900);
    expect(top([40, 50])).toBeLessThan(1);
  });
});
