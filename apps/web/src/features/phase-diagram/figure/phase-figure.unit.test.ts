/**
 * The figure of a phase diagram: labels, tie lines of a highlighted phase in a tetrahedron, and the axis title of a
 * pseudo-binary.
 */
import type { Data } from 'plotly.js';
import { describe, expect, it } from 'vitest';
import { parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { formulaText } from '../../../components/formula.tsx';
import { PAPER_COLORS } from '../../../viz/plot/figure-sizes.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { textWidth } from '../../../viz/plot/rich-text.tsx';
import { settle } from '../../../viz/plot/settled.ts';
import type { Diagram, Phase } from '../view-model.ts';
import { bestAngle, inSpace, sceneOf } from './eye.ts';
import type { PhaseFigureInput } from './places.ts';
import { phaseFigure } from './traces.ts';
import { placeLabels } from './label-places.ts';

const at = (x: number, y: number, label = 'Fe2O3') => ({ x, y, label });

describe('placeLabels', () => {
  it('places a label above its point if there is room', () => {
    expect(placeLabels([at(0, 0), at(200, 0)], [])).toEqual(['top center', 'top center']);
  });

  it('keeps labels of points at the frame inside of it', () => {
    const points = [at(4, 0), at(200, 0), at(396, 0)];
    const line = [
      { x: 4, y: 0 },
      { x: 396, y: 0 },
    ] as const;
    const places = placeLabels(points, [line], { frame: [0, 400] });
    expect(places).toEqual(['top right', 'top center', 'top left']);
  });

  it('avoids labels, points and lines', () => {
    const [first, second] = placeLabels([at(0, 0), at(10, 8)], []);
    expect(first).toBe('bottom center');
    expect(second).toBe('top center');
    const line = [
      { x: -100, y: 14 },
      { x: 100, y: 14 },
    ] as const;
    expect(placeLabels([at(0, 0)], [line])).toEqual(['bottom center']);
  });

  it("ignores a line that starts at the label's own point and leads away from the label", () => {
    const line = [
      { x: 0, y: 0 },
      { x: 0, y: -100 },
    ] as const;
    expect(placeLabels([at(0, 0)], [line])).toEqual(['top center']);
  });

  it('omits a label that overlaps everywhere, and prefers short labels', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => at(i, i % 3, 'Li3Fe2(PO4)3'));
    const sides = placeLabels([...crowd, at(4, 1, 'O'), at(400, 0, 'Li3Fe2(PO4)3')], []);
    expect(sides.slice(0, 12)).toContain(null);
    expect(sides.slice(12)).not.toContain(null);
  });

  it('moves a label without room to the end of a leader line, if allowed', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => at(9 * i, 4 * (i % 3), 'Sr4Ti3O10'));
    expect(placeLabels(crowd, [])).toContain(null);
    const places = placeLabels(crowd, [], { canBeAway: true });
    expect(places).not.toContain(null);
    expect(places.some((place) => typeof place === 'object')).toBe(true);
  });

  it('returns one position or null per label, however crowded the drawing is', () => {
    const random = seededRandom(20261121);
    const points = Array.from({ length: 60 }, () => at(100 * random(), 100 * random()));
    expect(placeLabels(points, [])).toHaveLength(60);
    expect(placeLabels([], [])).toEqual([]);
  });
});

const phase = (formula: string, [x, y, z]: readonly [number, number, number], aboveHull = 0): Phase => ({
  key: formula,
  id: 1,
  formula,
  spaceGroup: 'P1',
  formationEnergy: -1,
  aboveHull,
  isStable: aboveHull === 0,
  decomposition: '',
  x,
  y,
  z,
});

/** A tetrahedron with `count` phases along the edge from A to B, each with tie lines to the next phase and to D. */
function quaternary(count: number): Diagram {
  const corners = [
    { x: 0, y: 0, z: 0, text: 'A' },
    { x: 1, y: 0, z: 0, text: 'B' },
    { x: 0.5, y: 0.9, z: 0, text: 'C' },
    { x: 0.5, y: 0.3, z: 0.8, text: 'D' },
  ];
  const [a, b, c, d] = corners.map(({ text, x, y, z }) => phase(text, [x, y, z]));
  const between = Array.from({ length: count }, (_, i) =>
    phase(`A${count - i}B${i + 1}`, [(i + 1) / (count + 1), 0, 0]),
  );
  const edge = [a!, ...between, b!];
  const tie = (one: Phase, two: Phase) => ({
    name: 'Hull' as const,
    x: [one.x, two.x],
    y: [one.y, two.y],
    z: [one.z, two.z],
  });
  return {
    components: ['A', 'B', 'C', 'D'],
    title: 'A-B-C-D',
    stable: [...edge, c!, d!],
    unstable: [],
    lines: [...edge.slice(1).map((next, i) => tie(edge[i]!, next)), ...edge.map((one) => tie(one, d!))],
    corners,
    functional: 'PBE',
  };
}

const texts = {
  stable: 'Stable',
  unstable: 'Unstable',
  placed: 'Mine',
  own: 'This material',
  fractionAxis: 'x in {formula}',
  shareAxis: 'share of atoms in {formula}',
  energyAxis: 'E',
  aboveHull: 'above hull',
  formation: 'formation energy',
  undecided: 'Undecided',
  more: 'and {n} more',
  provenance: 'PBE · release 1',
};

const draw = (diagram: Diagram, more: Partial<PhaseFigureInput> = {}) =>
  phaseFigure(
    {
      diagram,
      unstable: diagram.unstable,
      isUnstableShown: false,
      highlighted: null,
      own: null,
      angle: bestAngle(diagram),
      frame: { width: 600, height: 500 },
      placed: null,
      texts,
      ...more,
    },
    PAPER_COLORS,
  );

type Drawn = Data & {
  name?: string;
  textposition?: string | string[];
  text?: string[];
  x: (number | null)[];
  y: (number | null)[];
  mode?: string;
  textfont?: { size: number };
  line?: { width: number };
};
const series = (data: Data[], name: string): Drawn | undefined =>
  (data as Drawn[]).find((each) => each.name === name);
const namesOf = (data: Data[]): readonly string[] =>
  (series(data, 'Stable')?.text ?? []).filter((text) => text !== '');
/** Ends of the wide lines, which are the tie lines. */
const ties = (data: Data[]): number =>
  (data as Drawn[]).find(({ line }) => line?.width === 3)!.x.filter((x) => x === null).length;

describe('a quaternary of many phases', () => {
  const diagram = quaternary(30);
  const [pointed, own] = [diagram.stable[5]!, diagram.stable[20]!];

  it('labels the phases that have room until a phase is highlighted, and its lowest corner below', () => {
    const { data } = draw(diagram);
    expect(namesOf(data).length).toBeGreaterThan(4);
    expect(namesOf(data).length).toBeLessThan(30);
    const corners = (data as Drawn[]).find(({ text }) => text?.[0] === '<b>A</b>')!;
    expect([corners.textposition].flat().filter((side) => side === 'bottom center')).toHaveLength(1);
    expect(ties(data)).toBe(0);
    expect((data[0] as Drawn).x.filter((x) => x === null)).toHaveLength(6);
  });

  it('draws only the tie lines of the highlighted phase, and labels the phases they lead to', () => {
    const { data } = draw(diagram, { highlighted: pointed });
    expect(ties(data)).toBe(3);
    expect(new Set(namesOf(data))).toEqual(new Set(['A27B4', 'A26B5', 'A25B6'].map(formulaText)));
  });

  it("keeps the label of the page's material while another phase is highlighted", () => {
    const { data } = draw(diagram, { highlighted: pointed, own });
    expect(namesOf(data)).toContain(`<b>${formulaText(own.formula)}</b>`);
    expect(series(data, 'This material')?.x).toEqual([own.x]);
  });
});

describe('the camera of a quaternary', () => {
  // Iron, lithium, oxygen, phosphorus in this order: from the front, oxygen and its compounds would overlap.
  const corners = quaternary(0).corners;
  const shares = [
    [1, 1, 4, 1],
    [1, 0, 4, 1],
    [0, 3, 4, 1],
    [2, 0, 3, 0],
    [3, 0, 4, 0],
    [0, 2, 1, 0],
    [0, 1, 3, 1],
    [0, 0, 5, 2],
  ];
  const meanOf = (parts: readonly number[], axis: 'x' | 'y' | 'z'): number =>
    parts.reduce((sum, part, i) => sum + part * (corners[i]![axis] ?? 0), 0) / parts.reduce((a, b) => a + b);
  const diagram: Diagram = {
    ...quaternary(0),
    stable: shares.map((parts) =>
      phase(parts.join(' '), [meanOf(parts, 'x'), meanOf(parts, 'y'), meanOf(parts, 'z')]),
    ),
  };
  const input = {
    diagram,
    angle: bestAngle(diagram),
    frame: { width: 600, height: 560 },
  } as PhaseFigureInput;

  it('separates all four corners, and no two phases overlap', () => {
    const seen = inSpace(input);
    const gaps = (places: readonly { x: number; y: number; z?: number | undefined }[]) =>
      places.flatMap((one, i) =>
        places.slice(i + 1).map((two) => {
          const [a, b] = [one, two].map(({ x, y, z = 0 }) => seen({ x, y, z }));
          return Math.hypot(a!.x - b!.x, a!.y - b!.y);
        }),
      );
    expect(Math.min(...gaps(corners))).toBeGreaterThan(120);
    expect(Math.min(...gaps(diagram.stable))).toBeGreaterThan(10);
  });

  it('has the distance that plotly.js expects', () => {
    const { x, y, z } = sceneOf(input).camera?.eye ?? {};
    expect(Math.hypot(x ?? 0, y ?? 0, z ?? 0)).toBeCloseTo(1.79, 10);
  });
});

/** The stable phases of famous systems in the seed data: dozens of them lie in the oxygen-rich part. */
const SYSTEMS = [
  [
    'Li Fe P O',
    'LiFePO4 FePO4 Li3P Li2O Li2O2 Li3PO4 Li4P2O7 LiPO3 Fe2O3 Fe3O4 FeP FeP2 FeP4 Fe2P Fe3P LiP LiP7 Li3P7 P2O5 LiFeP Li2FeO2 Li2FeO3 Li5FeO4 Fe(PO3)2 Fe(PO3)3 Fe2P2O7 Fe3(PO4)2 Fe3(P2O7)2 Fe7(PO4)6 Li2Fe12P7 LiFeP2O7 Li3Fe2(PO4)3 Li2Fe3(P2O7)2 FeP4O11 FeO LiFeO2',
  ],
  [
    'Na Zr Si O',
    'SiO2 ZrO2 Zr3O Zr4O Na2O ZrSiO4 Na2O2 Na2Si2O5 Na2SiO3 Na2ZrO3 Na3Si17 Na4SiO4 NaO2 NaSi Zr2Si Zr3Si2 ZrSi ZrSi2',
  ],
  ['Li La Zr O', 'Li2O Li2O2 Li2ZrO3 ZrO2 La2Zr2O7 La2O3 Zr3O Zr4O Li6Zr2O7'],
] as const;

function systemOf(components: readonly string[], compounds: readonly string[]): Diagram {
  const spots = [
    [0, 0, 0],
    [1, 0, 0],
    [0.5, Math.sqrt(3) / 2, 0],
    [0.5, Math.sqrt(3) / 6, Math.sqrt(2 / 3)],
  ] as const;
  const mean = (formula: string, axis: 0 | 1 | 2): number => {
    const amounts = parseFormula(formula);
    const parts = components.map((element) => amounts[element] ?? 0);
    const sum = parts.reduce((a, b) => a + b);
    return parts.reduce((total, part, i) => total + (part / sum) * (spots[i]?.[axis] ?? 0), 0);
  };
  return {
    ...quaternary(0),
    components,
    lines: [],
    corners: components.map((text, i) => ({ x: spots[i]![0], y: spots[i]![1], z: spots[i]![2], text })),
    stable: [...components, ...compounds].map((formula) =>
      phase(formula, [mean(formula, 0), mean(formula, 1), mean(formula, 2)]),
    ),
  };
}

/** The boxes of all labels of a still drawing, as it draws them. */
function labelBoxes(figure: PlotFigure, size: { width: number; height: number }) {
  const { data, box } = settle(figure, PAPER_COLORS, size);
  return (data as Drawn[])
    .filter(({ mode }) => mode === 'text')
    .flatMap((drawn) =>
      (drawn.text ?? []).flatMap((text, i) => {
        if (text === '') return [];
        const [x = 0, y = 0] = [drawn.x[i], drawn.y[i]].map(Number);
        const [vertical, side] = String([drawn.textposition].flat()[i]).split(' ');
        const px = drawn.textfont?.size ?? 12;
        const width = textWidth(text, px);
        const left = side === 'left' ? x - 1 - width : side === 'right' ? x + 1 : x - width / 2;
        const sign = vertical === 'top' ? -1 : vertical === 'bottom' ? 1 : 0;
        const baseline = box.bottom - box.top - y + 0.75 * px + sign + ((sign - 1) * px) / 2;
        return [{ text, left, right: left + width, top: baseline - 0.7 * px, bottom: baseline + 0.15 * px }];
      }),
    );
}

describe.each([
  ['a desktop', { width: 658, height: 640 }, false],
  ['a phone', { width: 328, height: 420 }, true],
] as const)('the labels of a tetrahedron on %s', (_, size, isCompact) => {
  it.each(SYSTEMS)('of %s overlap neither each other nor points of other phases', (elements, compounds) => {
    const diagram = systemOf(elements.split(' '), compounds.split(' '));
    const frame = { width: size.width - 16, height: size.height - 68 };
    const figure = draw(diagram, { frame, isCompact });
    const boxes = labelBoxes(figure, size);
    expect(boxes.length).toBeGreaterThan(8);
    const pairs = boxes.flatMap((one, i) => boxes.slice(i + 1).map((two) => [one, two] as const));
    const touching = pairs.filter(
      ([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
    );
    expect(touching.map(([a, b]) => `${a.text} ${b.text}`)).toEqual([]);
    const seen = inSpace({ diagram, angle: bestAngle(diagram), frame });
    const points = diagram.stable.map((each) => seen(each));
    const covered = boxes.filter(({ left, right, top, bottom }) =>
      points.some(({ x, y }) => x > left && x < right && frame.height - y > top && frame.height - y < bottom),
    );
    expect(covered.map(({ text }) => text)).toEqual([]);
  });
});

it('the figure omits labels if the area is too small for them', () => {
  const crowded = quaternary(12);
  const onPaper = namesOf(draw(crowded, { frame: { width: 262, height: 241 } }).data);
  expect(namesOf(draw(crowded, { frame: { width: 2000, height: 2000 } }).data)).toHaveLength(16);
  expect(onPaper).toEqual(expect.arrayContaining(['A', 'B', 'C', 'D']));
  expect(onPaper.length).toBeLessThan(16);
});

it('the figure labels all phases if there is room', () => {
  expect(namesOf(draw(quaternary(3)).data)).toHaveLength(7);
});

it('the axis title states what x counts: atoms of an element, or the share of a compound', () => {
  const binary: Diagram = { ...quaternary(0), components: ['Ti', 'O'], lines: [] };
  const titleOf = (components: string[]) => {
    const title = draw({ ...binary, components }).layout.xaxis?.title;
    return typeof title === 'object' ? title.text : undefined;
  };
  expect(titleOf(['Ti', 'O'])).toBe('x in Ti<sub>1−<i>x</i></sub>O<sub><i>x</i></sub>');
  expect(titleOf(['MgO', 'SiO2'])).toBe(
    `share of atoms in (MgO)<sub>1−<i>x</i></sub>(${formulaText('SiO2')})<sub><i>x</i></sub>`,
  );
});

it('the label of a phase at the end of a binary diagram does not touch the axis', () => {
  const [iron, titanium] = [phase('Fe2O3', [0, 0, 0]), phase('TiO2', [1, 0, 0])];
  const line = { name: 'Hull' as const, x: [0, 1], y: [0, 0], z: [0, 0] };
  const binary: Diagram = {
    ...quaternary(0),
    components: ['Fe', 'Ti'],
    stable: [iron, titanium],
    lines: [line],
    corners: [],
  };
  // At this width centred labels end at the axes.
  const { data } = draw(binary, { frame: { width: 565, height: 300 } });
  expect(series(data, 'Stable')?.textposition).toEqual(['top right', 'top left']);
});

describe('polymorphs of one composition', () => {
  const rutile = { ...phase('TiO2', [2 / 3, -3.3, 0]), id: 1 };
  const anatase = { ...phase('TiO2', [2 / 3, -3.29, 0], 0.01), key: 'Unstable-2', id: 2 };
  const far = {
    ...phase('TiO2', [2 / 3, -2.5, 0], 0.8),
    key: 'Unstable-3',
    id: 3,
    decomposition: 'Ti2O3 + 0.5 O2',
  };
  const binary: Diagram = {
    ...quaternary(0),
    components: ['Ti', 'O'],
    lines: [],
    corners: [],
    stable: [rutile],
    unstable: [anatase, far],
  };
  type Hovered = Drawn & { y: number[]; hovertext: string[] };

  it('are drawn at their own composition and energy, on screen and in print', () => {
    const unstable = series(draw(binary, { isUnstableShown: true }).data, 'Unstable') as Hovered;
    expect(unstable.x).toEqual([2 / 3, 2 / 3]);
    expect(unstable.y).toEqual([-3.29, -2.5]);
  });

  it('share one tooltip if they overlap', () => {
    const { data } = draw(binary, { isUnstableShown: true });
    const [covered = '', free = ''] = (series(data, 'Unstable') as Hovered).hovertext;
    const [stable] = (series(data, 'Stable') as Hovered).hovertext;
    expect(covered).toMatch(/· 1.*Stable<br>.*· 2.*0\.010/);
    expect(stable).toBe(covered);
    expect(free).toMatch(/· 3<br>.*−1\.000.*→ Ti₂O₃ \+ 0\.5 O₂$/);
  });

  it('are listed only while unstable phases are shown', () => {
    const [stable] = (series(draw(binary).data, 'Stable') as Hovered).hovertext;
    expect(stable).not.toContain('· 2');
  });
});
