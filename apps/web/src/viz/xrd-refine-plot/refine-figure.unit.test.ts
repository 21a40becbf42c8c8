import { expect, it } from 'vitest';
import type { ChartColors } from '../plot/chart-theme.ts';
import { refineFigure, type RefineFigure, refineTable } from './refine-figure.ts';

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
const t = ((key: string) => key) as Parameters<typeof refineFigure>[2];
const x = Array.from({ length: 301 }, (_, i) => 20 + i / 10);
const phase = (name: string) => ({
  name,
  reflections: [{ twoThetaDeg: 30, intensity: 100, forms: '(1 1 1)', dSpacing: 2.98, height: 0 }],
});
const picture: RefineFigure = {
  x,
  measured: x.map((angle) => 10 + 900 * Math.exp(-((angle - 30) ** 2))),
  calculated: x.map((angle) => 10 + 880 * Math.exp(-((angle - 30) ** 2))),
  background: x.map(() => 10),
  phases: [phase('A'), phase('B')],
  excluded: [],
  range: [20, 50],
};

it('the figure has the measurement, the model, the background, ticks of each phase and the difference', () => {
  const { data } = refineFigure(picture, colors, t);
  expect(data.map(({ name }) => name)).toEqual([
    'measured',
    'background',
    'calculated',
    'A',
    'B',
    'difference',
  ]);
});

it('the ticks of three phases have colours apart from those of the model and the difference', () => {
  const phases = ['A', 'B', 'C'].map(phase);
  const { data } = refineFigure({ ...picture, phases }, colors, t);
  const used = (data as { line?: { color: string }; marker?: { color: string } }[]).map(
    ({ line, marker }) => (line ?? marker)?.color,
  );
  expect(new Set(used).size).toBe(data.length);
});

it('nothing is calculated in excluded regions, which are shaded', () => {
  const { data, layout } = refineFigure({ ...picture, excluded: [[25, 35]] }, colors, t);
  const angles = (data.find(({ name }) => name === 'calculated') as { x: number[] }).x;
  expect(angles.some((angle) => angle >= 25 && angle <= 35)).toBe(false);
  expect(layout.shapes?.[0]).toMatchObject({ type: 'rect', x0: 25, x1: 35 });
});

it('the numbers of the figure have no calculated value and no difference in excluded regions', () => {
  const { header, rows } = refineTable({ ...picture, excluded: [[25, 35]] });
  const [calculated, difference] = ['calculated', 'difference'].map((name) => header.indexOf(name));
  const empty = rows.filter((row) => row[calculated!] === null && row[difference!] === null);
  expect(empty.map(([angle]) => angle)).toEqual(x.filter((angle) => angle >= 25 && angle <= 35));
});

it('all ticks are below the curves and within the drawing', () => {
  const { data, layout } = refineFigure(picture, colors, t);
  const [floor = 0] = (layout.yaxis?.range ?? []) as number[];
  for (const { y } of data.filter(({ name }) => name === 'A' || name === 'B') as { y: number[] }[])
    expect(y.every((value) => value < 0 && value > floor)).toBe(true);
});
