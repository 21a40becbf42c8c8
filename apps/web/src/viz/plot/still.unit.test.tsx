// @vitest-environment node
import type { Data, Layout } from 'plotly.js';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { tickPlaces, tickText } from './axis-ticks.ts';
import { colorOn } from './chart-theme.ts';
import { FIGURE_CM, FIGURE_SIZES, figureLayout, PAPER_COLORS, svgOnPaper } from './figure-sizes.ts';
import { barred, runsOf } from './rich-text.tsx';
import type { PlotFigure } from './plot-figure.ts';
import { canBeStill, settle } from './settled.ts';
import { Still } from './still.tsx';
import { readFileSync } from 'node:fs';

const SIZE = { width: 600, height: 400 };
const MARGIN = { l: 60, r: 20, t: 30, b: 50 };
const figureOf = (data: readonly Partial<Data>[], layout: Partial<Layout> = {}): PlotFigure => ({
  data: data as Data[],
  layout: { margin: MARGIN, ...layout },
});
const settledOf = (figure: PlotFigure) => settle(figure, PAPER_COLORS, SIZE);
const drawn = (figure: PlotFigure): string =>
  renderToStaticMarkup(<Still settled={settledOf(figure)} colors={PAPER_COLORS} />);
const LINE: Partial<Data> = { type: 'scatter', mode: 'lines', x: [0, 1, 2], y: [0, 10, 5] };

describe('ticks of an axis', () => {
  // Places measured in drawings of plotly.js 3.7.
  it.each([
    {
      range: [-0.03, 1.03],
      length: 576,
      letter: 'x',
      format: '',
      texts: ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'],
    },
    {
      range: [-3.941, 0.422],
      length: 308,
      letter: 'y',
      format: '',
      texts: ['\u22123', '\u22122', '\u22121', '0'],
    },
    { range: [-400, 14_000], length: 362, letter: 'y', nticks: 6, format: '~s', texts: ['0', '5k', '10k'] },
    { range: [0, 0.54], length: 125, letter: 'x', nticks: 4, format: '', texts: ['0.0', '0.2', '0.4'] },
    { range: [0.3, 5.7], length: 500, letter: 'x', format: 'd', texts: ['1', '2', '3', '4', '5'] },
  ] as const)('of $range on $length px of $letter are $texts', ({ format, texts, ...scale }) => {
    expect(tickPlaces(scale).map((at) => tickText(at, scale, format))).toEqual(texts);
  });
});

describe('a settled figure', () => {
  it('sets every range and margin, so that plotly.js chooses none of them', () => {
    const { layout, axes, box } = settledOf(figureOf([LINE]));
    expect(layout.margin).toEqual({ ...MARGIN, autoexpand: false });
    expect(box).toEqual({ left: 60, top: 30, right: 580, bottom: 350 });
    expect(layout.xaxis).toMatchObject({ range: [0, 2], autorange: false });
    const [low, high] = axes.get('y')!.range;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(10);
  });

  it('has no negative width if the frame is narrower than its margins', () => {
    const titled = { xaxis: { title: { text: 'x' } }, yaxis: { title: { text: 'y' } } };
    const settled = settle(figureOf([LINE], titled), PAPER_COLORS, { width: 22, height: 40 });
    const svg = renderToStaticMarkup(<Still settled={settled} colors={PAPER_COLORS} />);
    expect(svg).not.toMatch(/(?:width|height)="-/);
    expect(svg).not.toContain('NaN');
  });

  it('has a top margin as high as its legend, also with several rows', () => {
    const series = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...LINE, name: `a series of the number ${index}` }));
    const topOf = (count: number): number => {
      const legend = { y: 1, yanchor: 'bottom' } as const;
      const { box, legend: entries } = settledOf(figureOf(series(count), { showlegend: true, legend }));
      for (const { y } of entries) {
        expect(y).toBeGreaterThan(8);
        expect(y).toBeLessThan(box.top);
      }
      return box.top;
    };
    expect(topOf(9)).toBeGreaterThan(topOf(1));
  });

  it('gives two linked axes the same scale', () => {
    const { axes } = settledOf(
      figureOf([LINE], { xaxis: { range: [0, 1] }, yaxis: { range: [0, 1], scaleanchor: 'x' } }),
    );
    const perUnit = (id: string): number => {
      const { range, ends } = axes.get(id)!;
      return Math.abs((ends[1] - ends[0]) / (range[1] - range[0]));
    };
    expect(perUnit('x')).toBeCloseTo(perUnit('y'), 9);
  });
});

describe('a still drawing', () => {
  it('contains every text of its figure', () => {
    const svg = drawn(
      figureOf([{ ...LINE, mode: 'text+lines', text: ['first', '', 'last'], name: 'a line' }], {
        showlegend: true,
        xaxis: { title: { text: 'x in Ti<sub>1−<i>x</i></sub>' } },
        yaxis: { title: { text: 'Energy' } },
        annotations: [{ text: '<b>note</b>', x: 1, y: 10, showarrow: false }],
      }),
    );
    for (const text of ['first', 'last', 'a line', 'x in Ti', 'Energy', 'note'])
      expect(svg).toContain(`>${text}<`);
    expect(svg.match(/>0\.5</g)).toHaveLength(1);
  });

  it('leaves a gap in an interrupted series, and draws nothing for a hidden one', () => {
    const lines = (series: Partial<Data>): string | undefined =>
      /<path d="([^"]*)"[^>]*stroke="#123456"/.exec(
        drawn(figureOf([{ ...series, line: { color: '#123456' } } as Partial<Data>])),
      )?.[1];
    const broken = { ...LINE, x: [0, 1, 2, 3, 4], y: [0, 1, null, 1, 0] } as Partial<Data>;
    expect(lines(broken)?.match(/M/g)).toHaveLength(2);
    expect(lines({ ...broken, visible: 'legendonly' })).toBeUndefined();
  });

  it('supports points, lines and surfaces, but not heat maps', () => {
    expect(canBeStill(figureOf([LINE, { type: 'scatter3d' }]))).toBe(true);
    expect(canBeStill(figureOf([LINE, { type: 'heatmap' }]))).toBe(false);
  });
});

describe('a still drawing of space', () => {
  const point = (x: number, y: number, z: number): Partial<Data> => ({
    type: 'scatter3d',
    mode: 'markers',
    x: [x],
    y: [y],
    z: [z],
  });
  const range = [-1, 1];
  const scene = {
    aspectmode: 'cube',
    xaxis: { range },
    yaxis: { range },
    zaxis: { range },
    camera: { eye: { x: 0, y: -2, z: 0 } },
  } as unknown as Layout['scene'];
  const placeOf = (x: number, y: number, z: number): readonly number[] => {
    const { data, box } = settledOf(figureOf([point(x, y, z)], { scene, showlegend: false }));
    return [Number(data[0]!.x![0]) / (box.right - box.left), Number(data[0]!.y![0]) / (box.bottom - box.top)];
  };

  it('centres the scene, with x to the right and z upwards from the front', () => {
    for (const share of placeOf(0, 0, 0)) expect(share).toBeCloseTo(0.5, 9);
    expect(placeOf(0.5, 0, 0)[0]).toBeGreaterThan(0.5);
    expect(placeOf(0, 0, 0.5)[1]).toBeGreaterThan(0.5);
    // A scene length of 1 is 2 on the axis. A camera at distance 2 sees a height of 2 × 2 tan 22.5° of the scene.
    expect(placeOf(0, 0, 1)[1]! - 0.5).toBeCloseTo(0.5 / (4 * Math.tan(Math.PI / 8)), 9);
  });

  it('draws the near face of a surface over the far one', () => {
    const mesh = {
      type: 'mesh3d',
      x: [-1, 1, 0, -1, 1, 0],
      y: [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5],
      z: [-1, -1, 1, -1, -1, 1],
      i: [0, 3],
      j: [1, 4],
      k: [2, 5],
      intensity: [0, 0, 0, 1, 1, 1],
      cmin: 0,
      cmax: 1,
      colorscale: [
        [0, '#000000'],
        [1, '#ffffff'],
      ],
      lighting: { ambient: 1, diffuse: 0 },
    } as unknown as Partial<Data>;
    const { pieces } = settledOf(figureOf([mesh], { scene }));
    expect(pieces.map(({ color }) => color)).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  });

  it.each(['outwards', 'inwards'])('leaves out the hidden faces of a closed surface wound %s', (winding) => {
    // An octahedron. Its corner towards the camera has another intensity, so that its four faces differ from the rest.
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z] as const)));
    const triangles = corners.map(([x, y, z]) => {
      const [first, second, third] = [x > 0 ? 0 : 1, y > 0 ? 2 : 3, z > 0 ? 4 : 5];
      return x * y * z > 0 === (winding === 'outwards') ? [first, second, third] : [first, third, second];
    });
    const mesh = {
      type: 'mesh3d',
      x: [1, -1, 0, 0, 0, 0],
      y: [0, 0, 1, -1, 0, 0],
      z: [0, 0, 0, 0, 1, -1],
      i: triangles.map(([corner]) => corner),
      j: triangles.map(([, corner]) => corner),
      k: triangles.map(([, , corner]) => corner),
      intensity: [0, 0, 0, 1, 0, 0],
      cmin: 0,
      cmax: 1,
      colorscale: [
        [0, '#000000'],
        [1, '#ffffff'],
      ],
      lighting: { ambient: 1, diffuse: 0 },
    } as unknown as Partial<Data>;
    const colors = settledOf(figureOf([mesh], { scene })).pieces.map(({ color }) => color);
    expect(colors).toHaveLength(4);
    expect(new Set(colors).size).toBe(1);
  });
});

describe('the parts of a drawing', () => {
  it('are text runs of uniform style', () => {
    expect(runsOf(`<b>A</b><sub>2</sub><br>c &lt; d${barred('3')}`)).toEqual([
      [
        { text: 'A', isBold: true, isItalic: false, isBarred: false, shift: null },
        { text: '2', isBold: false, isItalic: false, isBarred: false, shift: 'sub' },
      ],
      [
        { text: 'c < d', isBold: false, isItalic: false, isBarred: false, shift: null },
        { text: '3', isBold: false, isItalic: false, isBarred: true, shift: null },
      ],
    ]);
  });

  it('take their colours from a scale, and its end colours outside its range', () => {
    const scale = [
      [0, '#000000'],
      [0.5, '#ff0000'],
      [1, '#ffffff'],
    ] as const;
    expect([-1, 0.25, 0.5, 0.75, 2].map((share) => colorOn(scale, share))).toEqual([
      'rgb(0, 0, 0)',
      'rgb(128, 0, 0)',
      'rgb(255, 0, 0)',
      'rgb(255, 128, 128)',
      'rgb(255, 255, 255)',
    ]);
  });
});

describe('figures for papers', () => {
  it('have 600 dots per inch, and text of 8 pt', () => {
    for (const size of FIGURE_SIZES) {
      const { width, scale } = figureLayout(size);
      expect((width * scale) / (FIGURE_CM[size].width / 2.54)).toBeCloseTo(600, -1);
      // Text of 13 px in the layout has 8 pt when the figure is printed in the width of the column.
      expect((13 * (FIGURE_CM[size].width / width) * 72) / 2.54).toBeCloseTo(8, 1);
    }
  });

  it('state their width in centimetres and keep the units inside the drawing', () => {
    const svg =
      '<svg class="main-svg" width="396" height="322" viewBox="0 0 396 322"><rect width="3" height="4"/></svg>';
    expect(svgOnPaper(svg, 'single')).toBe(
      '<svg class="main-svg" width="8.6cm" height="7cm" viewBox="0 0 396 322"><rect width="3" height="4"/></svg>',
    );
  });

  it('use the colours of the light scheme', () => {
    const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8');
    const light = /:root\[data-mantine-color-scheme="light"\] \{([^}]*)\}/.exec(tokens)?.[1] ?? '';
    for (const color of [PAPER_COLORS.ink, PAPER_COLORS.faint, ...PAPER_COLORS.series])
      expect(light).toContain(color);
  });
});
