import type { PourbaixResult } from '@unitcell/contract/stability';
import { expect, it } from 'vitest';
import { type NamedLine, NAME_SIZE, placeNames } from './line-names.ts';
import { PAPER_COLORS } from '../../viz/plot/figure-sizes.ts';
import { textWidth } from '../../viz/plot/rich-text.tsx';
import { pourbaixFigure } from './pourbaix-figure.ts';

const FRAME = { x: [300, 2400], y: [-1100, 200], width: 1000, height: 440 } as const;
const line = (text: string, from: number, to: number): NamedLine => ({ text, x: [300, 2400], y: [from, to] });

it('names of lines do not overlap and are inside the diagram', () => {
  const lines = [
    line('Al2O3', -1050, -600),
    line('TiO', -1020, -620),
    line('FeO', -520, -220),
    line('CO', -270, -640),
    line('CO2', -390, -395),
    line('Fe3O4', -510, -50),
  ];
  const places = placeNames(lines, FRAME);
  const blocks = places.map((place, index) => {
    expect(place).not.toBeNull();
    const width = textWidth(lines[index]!.text, NAME_SIZE);
    const x = ((place!.x - 300) / 2100) * FRAME.width;
    const y = ((200 - place!.y) / 1300) * FRAME.height;
    return { left: x - width / 2, right: x + width / 2, top: y - 6, bottom: y + 6 };
  });
  for (const [index, a] of blocks.entries()) {
    expect(Math.min(a.left, a.top, FRAME.width - a.right, FRAME.height - a.bottom)).toBeGreaterThanOrEqual(0);
    for (const b of blocks.slice(index + 1))
      expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
  }
});

it('a name overlaps neither its own steep line nor lines in the background', () => {
  const steep = line('CO', -270, -1080);
  const background = [
    { x: [300, 1300], y: [-200, -600] },
    { x: [300, 1300], y: [-330, -760] },
  ];
  const [place] = placeNames([steep], FRAME, background);
  const [x, half] = [place!.x, (textWidth('CO', NAME_SIZE) / 2 / FRAME.width) * 2100];
  const height = (6 / FRAME.height) * 1300;
  for (const { x: ends, y } of [steep, ...background])
    for (const at of [x - half, x, x + half]) {
      if (at < ends[0]! || at > ends[1]!) continue;
      const on = y[0]! + ((y[1]! - y[0]!) * (at - ends[0]!)) / (ends[1]! - ends[0]!);
      expect(Math.abs(on - place!.y)).toBeGreaterThan(height);
    }
});

it('a name without room is omitted', () => {
  const crowd = Array.from({ length: 60 }, (_, index) => line(`name ${index}`, -500 + index / 100, -500));
  const places = placeNames(crowd, { ...FRAME, width: 200 });
  expect(places.some((place) => place === null)).toBe(true);
});

it('a small region of a Pourbaix diagram has its name beside it, with a line to it', () => {
  const region = (
    index: number,
    kind: 'passivation' | 'corrosion',
    corners: readonly [number, number][],
  ) => ({
    kind,
    species: [{ index }],
    corners: corners.map(([ph, potential]) => ({ ph, potential })),
  });
  // A phone: 14 px by pH, 150 px by volt.
  const result = {
    window: { ph_min: -2, ph_max: 16, potential_min: -1, potential_max: 1 },
    water: { hydrogen: -0.9, oxygen: 0.9, slope: 0 },
    species: [{ formula: 'TiO2' }, { formula: 'Ti[3+]' }],
    compound: null,
    regions: [
      region(0, 'passivation', [
        [0, -1],
        [16, -1],
        [16, 1],
        [-2, 1],
        [-2, -0.6],
      ]),
      region(1, 'corrosion', [
        [-2, -1],
        [0, -1],
        [-2, -0.6],
      ]),
    ],
  } as unknown as PourbaixResult;
  const { layout } = pourbaixFigure(
    { result, reading: { ph: 7, volts: 0 }, hasMap: false, marked: null },
    { phAxis: 'pH', potentialAxis: 'V', provenance: 'PBE' },
    PAPER_COLORS,
    { width: 330, height: 400 },
  );
  const names = (layout.annotations ?? []).filter(({ text }) => text !== 'PBE');
  expect(names.map(({ text, showarrow }) => [text, showarrow])).toEqual([
    ['TiO₂', false],
    ['Ti³⁺', true],
  ]);
  // The line of the name ends in the small region.
  expect(names[1]!.x!).toBeLessThan(0);
  expect(Number(names[1]!.y)).toBeLessThan(-0.6);
});
