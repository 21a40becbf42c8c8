/** Bands beside densities of states as a Plotly figure: two panels, one energy axis. */
import { bandGap, type BandGap, type BandStructure, type DensityOfStates } from '@unitcell/material';
import type { Data, Layout, Shape } from 'plotly.js';
import { formatNumber } from '../../lib/format.ts';
import { placeText } from '../brillouin-zone/path-place.ts';
import { axisStyle, type ChartColors } from '../plot/chart-theme.ts';
import type { PlotFigure } from '../plot/plot-figure.ts';
import {
  bandLines,
  densitiesByElement,
  namedTicks,
  pathTicks,
  type PathTick,
  placeOfPoint,
} from './bands.ts';
import { defineTexts, type Translate } from '../../i18n/texts.ts';

export const bandPlotTexts = defineTexts('band-plot', {
  energy: ['E − E<sub>F</sub> (eV)', 'E − E<sub>F</sub> (eV)'],
  density: ['DOS (states/eV/cell)', '态密度 (states/eV/原胞)'],
  densityShort: ['DOS', '态密度'],
  bands: ['bands', '能带'],
  band: ['band {{n}}', '第 {{n}} 条能带'],
  spinUp: ['spin up', '自旋向上'],
  spinDown: ['spin down', '自旋向下'],
  total: ['total', '总态密度'],
  vbm: ['VBM', '价带顶'],
  cbm: ['CBM', '导带底'],
  direct: ['direct', '直接'],
  indirect: ['indirect', '间接'],
  metal: ['metallic along this path: bands cross the Fermi level', '沿此路径为金属性：有能带穿过费米能级'],
  gapName: ['Band gap', '带隙'],
  gap: [
    'gap along this path {{width}} eV, {{kind}}, from {{from}} to {{to}}',
    '沿此路径带隙 {{width}} eV，{{kind}}，由 {{from}} 到 {{to}}',
  ],
  summary: [
    '{{functional}} band structure of {{formula}} along {{path}}, beside the density of states, energies relative to the Fermi level: {{gap}}.',
    '{{formula}} 的 {{functional}} 能带结构（路径 {{path}}）与态密度，能量以费米能级为零点：{{gap}}。',
  ],
  hint: [
    'Drag to zoom, double-click to reset. Point at a band or tap it to mark its k-point in the Brillouin zone.',
    '拖动放大，双击复原。指向或点按能带时，布里渊区中会标出对应的 k 点。',
  ],
  densityCsv: ['DOS as CSV', '态密度 CSV'],
});

type T = Translate<(typeof bandPlotTexts)['en']>;

/**
 * Energy range of the first view, eV: below the Fermi level, and above it or, if there is a gap, above the conduction
 * band edge.
 */
const FIRST_VIEW = { below: 6, above: 6 } as const;
/** Share of the width taken by the bands, beside the densities. */
const BANDS_SHARE = 0.7;
/** Gap between the panels: a phone needs room for the last label of the path and the first of the density. */
const PANEL_GAP = { narrow: 0.08, wide: 0.03 };
/** Share of the path that a label needs, on wide and on narrow screens. A screen is narrow below NARROW_PX. */
const LABEL_ROOM = { wide: 0.022, narrow: 0.085 } as const;
const NARROW_PX = 560;

export interface BandData {
  readonly bands: BandStructure;
  readonly density: DensityOfStates | undefined;
  readonly gap: BandGap | null;
  readonly ticks: readonly PathTick[];
  readonly up: ReturnType<typeof bandLines>;
  readonly down: ReturnType<typeof bandLines> | null;
}

/** Everything derived from the data. It is computed once and reused for other colours or another mark. */
export const bandDataOf = (bands: BandStructure, density: DensityOfStates | undefined): BandData => ({
  bands,
  density,
  gap: bandGap(bands),
  ticks: pathTicks(bands),
  up: bandLines(bands.spinUp, bands),
  down: bands.spinDown ? bandLines(bands.spinDown, bands) : null,
});

const vector = (values: readonly number[]): string => `(${values.map((v) => formatNumber(v)).join(', ')})`;

/** Position of a point of the lines: `Γ → X, 35 %`. */
export function kText(bands: BandStructure, kIndex: number): string {
  const place = placeOfPoint(bands, kIndex);
  return place ? placeText(place) : vector(bands.kPoints[kIndex] ?? []);
}

function bandTrace(
  { bands }: BandData,
  { distances, energies, origins }: ReturnType<typeof bandLines>,
  style: { readonly color: string; readonly dash: 'solid' | 'dot'; readonly name: string },
  t: T,
): Data {
  const texts = bands.kDistance.map(
    (_, kIndex) => `${kText(bands, kIndex)}<br>k = ${vector(bands.kPoints[kIndex] ?? [])}`,
  );
  return {
    type: 'scatter',
    mode: 'lines',
    name: style.name,
    x: distances,
    y: energies,
    text: origins.map(([kIndex, band]) =>
      kIndex < 0
        ? ''
        : `${t('band', { n: band + 1 })}${bands.spinDown ? `, ${style.name}` : ''}<br>${texts[kIndex]}`,
    ),
    customdata: origins.map(([kIndex]) => kIndex),
    line: { color: style.color, width: 1.5, dash: style.dash },
    hovertemplate: '%{y:.3f} eV<br>%{text}<extra></extra>',
    showlegend: bands.spinDown !== undefined,
  };
}

function edgeTraces({ bands, gap }: BandData, colors: ChartColors, t: T): Data[] {
  if (!gap) return [];
  return (['vbm', 'cbm'] as const).map((edge): Data => {
    const { energy, kIndices } = gap[edge];
    const isValence = edge === 'vbm';
    const color = isValence ? colors.stable : colors.unstable;
    return {
      type: 'scatter',
      mode: 'markers',
      x: kIndices.map((kIndex) => bands.kDistance[kIndex] ?? 0),
      y: kIndices.map(() => energy - bands.fermiEnergy),
      text: kIndices.map((kIndex) => `${t(edge)}: ${kText(bands, kIndex)}`),
      customdata: [...kIndices],
      marker: {
        size: 9,
        color: isValence ? color : colors.surface,
        line: { color, width: 2 },
      },
      hovertemplate: '%{text}<br>%{y:.3f} eV<extra></extra>',
      cliponaxis: false,
      showlegend: false,
    };
  });
}

function densityTraces({ density }: BandData, colors: ChartColors, t: T): Data[] {
  if (!density) return [];
  const energies = density.energies.map((energy) => energy - density.fermiEnergy);
  const onPanel = { type: 'scatter', mode: 'lines', xaxis: 'x2', yaxis: 'y2', y: energies } as const;
  const curve = (values: readonly number[], name: string, line: object, more: Partial<Data> = {}): Data =>
    ({
      ...onPanel,
      x: [...values],
      name,
      line,
      hovertemplate: `${name}<br>%{x:.2f} states/eV<br>%{y:.2f} eV<extra></extra>`,
      ...more,
    }) as Data;
  /** Drawn to the left of zero, while the hover text gives the positive density. */
  const mirrored = (values: readonly number[], name: string, line: object, more: Partial<Data> = {}): Data =>
    curve(
      values.map((value) => -value),
      name,
      line,
      {
        text: values.map((value) => value.toFixed(2)),
        hovertemplate: `${name}<br>%{text} states/eV<br>%{y:.2f} eV<extra></extra>`,
        showlegend: false,
        ...more,
      },
    );
  const total = { color: colors.faint, width: 1 };
  const fill = { fill: 'tozerox', fillcolor: `${colors.faint}2e` };
  const elements = [...densitiesByElement(density.projected)];
  const below = densitiesByElement(density.projected, 'down');
  const colorOf = (index: number): string | undefined => colors.series[(index + 1) % colors.series.length];
  return [
    curve(density.total, t('total'), total, fill),
    ...(density.totalDown
      ? [mirrored(density.totalDown, `${t('total')}, ${t('spinDown')}`, total, fill)]
      : []),
    ...elements.flatMap(([element, values], index) => {
      const line = { color: colorOf(index), width: 1.5 };
      const down = below.get(element);
      return [
        curve(values, element, line),
        ...(down ? [mirrored(down, `${element}, ${t('spinDown')}`, line)] : []),
      ];
    }),
  ];
}

function marks(
  { ticks, gap, bands }: BandData,
  marked: readonly number[],
  colors: ChartColors,
): Partial<Shape>[] {
  const [first, last] = [bands.kDistance[0] ?? 0, bands.kDistance.at(-1) ?? 1];
  const upright = (x: number, line: object): Partial<Shape> => ({
    type: 'line',
    layer: 'below',
    xref: 'x',
    yref: 'paper',
    x0: x,
    x1: x,
    y0: 0,
    y1: 1,
    line,
  });
  const shaded: Partial<Shape>[] = gap
    ? [
        {
          type: 'rect',
          layer: 'below',
          x0: first,
          x1: last,
          y0: gap.vbm.energy - bands.fermiEnergy,
          y1: gap.cbm.energy - bands.fermiEnergy,
          fillcolor: colors.highlight,
          opacity: 0.13,
          line: { width: 0 },
        },
      ]
    : [];
  return [
    ...shaded,
    ...ticks.map(({ distance }) => upright(distance, { color: colors.rule, width: 1 })),
    {
      type: 'line',
      xref: 'paper',
      x0: 0,
      x1: 1,
      y0: 0,
      y1: 0,
      line: { color: colors.faint, width: 1, dash: 'dash' },
    },
    ...marked.map(
      (x): Partial<Shape> => ({ ...upright(x, { color: colors.highlight, width: 2.5 }), layer: 'above' }),
    ),
  ];
}

function gapNote({ gap, bands }: BandData, colors: ChartColors, t: T): NonNullable<Layout['annotations']> {
  if (!gap) return [];
  const text = `${formatNumber(gap.width, { decimals: 2 })} eV ${t(gap.isDirect ? 'direct' : 'indirect')}`;
  const middle = (gap.vbm.energy + gap.cbm.energy) / 2 - bands.fermiEnergy;
  return [
    {
      x: bands.kDistance.at(-1) ?? 1,
      y: middle,
      xanchor: 'right',
      text,
      showarrow: false,
      font: { size: 12, color: colors.ink },
      bgcolor: colors.surface,
      borderpad: 2,
      opacity: 0.9,
    },
  ] as NonNullable<Layout['annotations']>;
}

/**
 * Range of the densities, taken from the first view only: states far below, such as semicore shells, may be much
 * higher.
 */
export function densityRange(density: DensityOfStates, top: number): readonly [number, number] {
  const largest = (values: readonly number[] = []): number =>
    values.reduce((most, value, at) => {
      const energy = (density.energies[at] ?? Infinity) - density.fermiEnergy;
      return energy >= -FIRST_VIEW.below && energy <= top ? Math.max(most, value) : most;
    }, 0);
  const [up, down] = [largest(density.total), largest(density.totalDown)];
  return up + down === 0 ? [0, 1] : [-1.05 * down, 1.05 * up];
}

/**
 * The figure. `marked` are distances along the path (1/Å) to mark: the k-point hovered in the zone.
 */
export function bandFigure(data: BandData, marked: readonly number[], colors: ChartColors, t: T): PlotFigure {
  const { bands, density, gap, ticks, up, down } = data;
  const axis = axisStyle(colors);
  const top = FIRST_VIEW.above + (gap ? gap.cbm.energy - bands.fermiEnergy : 0);
  const [prussian = colors.ink, cinnabar = colors.ink] = colors.series;
  const isNarrow = innerWidth < NARROW_PX;
  const named = namedTicks(ticks, isNarrow ? LABEL_ROOM.narrow : LABEL_ROOM.wide);
  const bandsEnd = density ? BANDS_SHARE : 1;
  return {
    data: [
      bandTrace(data, up, { color: prussian, dash: 'solid', name: t(down ? 'spinUp' : 'bands') }, t),
      ...(down ? [bandTrace(data, down, { color: cinnabar, dash: 'dot', name: t('spinDown') }, t)] : []),
      ...edgeTraces(data, colors, t),
      ...densityTraces(data, colors, t),
    ],
    layout: {
      // Zoom and pan are kept when the mark changes.
      uirevision: 'bands',
      hovermode: 'closest',
      dragmode: 'zoom',
      margin: { l: 58, r: 12, t: 34, b: 46 },
      legend: { orientation: 'h', x: 1, xanchor: 'right', y: 1.01, yanchor: 'bottom', font: { size: 12 } },
      shapes: marks(data, marked, colors),
      annotations: gapNote(data, colors, t),
      xaxis: {
        domain: [0, bandsEnd],
        range: [bands.kDistance[0] ?? 0, bands.kDistance.at(-1) ?? 1],
        tickvals: named.map(({ distance }) => distance),
        ticktext: named.map(({ text }) => text),
        ticks: '',
        tickangle: 0,
      },
      yaxis: { title: { text: t('energy'), standoff: 4 }, range: [-FIRST_VIEW.below, top], zeroline: false },
      ...(density
        ? {
            xaxis2: {
              ...axis,
              domain: [BANDS_SHARE + (isNarrow ? PANEL_GAP.narrow : PANEL_GAP.wide), 1],
              anchor: 'y2',
              title: { text: t(isNarrow ? 'densityShort' : 'density'), standoff: 8, font: { size: 12 } },
              range: [...densityRange(density, top)],
              nticks: isNarrow ? 3 : 4,
            },
            yaxis2: { ...axis, anchor: 'x2', matches: 'y', showticklabels: false },
          }
        : {}),
    },
  };
}
