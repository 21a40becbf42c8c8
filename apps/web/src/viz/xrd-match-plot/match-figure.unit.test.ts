import { describe, expect, it } from 'vitest';
import type { ChartColors } from '../plot/chart-theme.ts';
import { matchFigure, type MatchPicture } from './match-figure.ts';
import { overlayOf } from './overlay.ts';

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
const alone: MatchPicture = {
  measured,
  before: null,
  reference: null,
  explained: [],
  unexplained: [],
  isRest: false,
  range: [20, 50],
  isNarrow: false,
};
const names = (picture: MatchPicture) => matchFigure(picture, colors, t).data.map(({ name }) => name);
const matched = (y: number[]): MatchPicture => ({
  ...alone,
  measured: { x, y },
  reference: { name: 'A', reflections: [reflection], overlay: overlayOf({ x, y }, measured) },
});

describe('matchFigure', () => {
  it('draws a measurement alone without a legend', () => {
    expect(names(alone)).toEqual(['measured']);
    expect(matchFigure(alone, colors, t).layout).toMatchObject({ showlegend: false });
  });

  it('draws the reference, its ticks and the difference on shared angles', () => {
    const { data, layout } = matchFigure(matched(measured.y), colors, t);
    expect(data.map(({ name }) => name)).toEqual(['measured', 'A', 'A', 'difference']);
    expect(layout.annotations?.[0]).toMatchObject({ x: 30, text: '111' });
  });

  it('shows all of a difference, however large it is', () => {
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

  it('names phases taken away, and calls what is left the rest', () => {
    const rest = {
      ...alone,
      isRest: true,
      before: measured,
      explained: [{ name: 'B', reflections: [reflection] }],
    };
    expect(names(rest)).toEqual(['measured', 'rest', 'B']);
  });

  it('takes its height from the range that is shown', () => {
    const top = (range: readonly [number, number]): number =>
      matchFigure({ ...alone, range }, colors, t).layout.yaxis?.range?.[1] as number;
    expect(top([20, 50])).toBeGreaterThan(900);
    expect(top([40, 50])).toBeLessThan(1);
  });
});
