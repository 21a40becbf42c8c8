/**
 * Sets everything in a figure that plotly.js would otherwise choose: margins, ranges, ticks, positions of titles and
 * legend. The static and the live drawing use the same settled figure, so that the change from one to the other is
 * invisible.
 */
import type { Annotations, Layout, LayoutAxis } from 'plotly.js';
import { TICK_FORMATS, tickPlaces, tickText } from './axis-ticks.ts';
import { type ChartColors, chartLayout } from './chart-theme.ts';
import { type Box, errorsOf, isShown, numbersOf, type PlotFigure, type Series } from './plot-figure.ts';
import { eyeOn, flattened, type Piece } from './space.ts';
import { LINE_HEIGHT, lineBox, textHeight, textWidth } from './rich-text.tsx';

export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface Axis {
  readonly letter: 'x' | 'y';
  readonly layout: Partial<LayoutAxis>;
  readonly range: readonly [number, number];
  /** Positions of both ends of the axis range, px from the upper left of the drawing. */
  readonly ends: readonly [number, number];
  readonly ticks: readonly Tick[];
  /** Category names on the axis in their order; empty for a numeric axis. */
  readonly names: readonly string[];
  /** The axis to which this axis is anchored. */
  readonly anchor: string;
}

export interface LegendEntry {
  readonly series: Series;
  readonly name: string;
  /** Position of the legend's left end and middle, px. */
  readonly x: number;
  readonly y: number;
}

export interface Settled {
  readonly width: number;
  readonly height: number;
  /** The plot area: the drawing without its margins. */
  readonly box: Box;
  readonly data: readonly Series[];
  /** The layout for plotly.js. */
  readonly layout: Partial<Layout>;
  readonly axes: ReadonlyMap<string, Axis>;
  readonly legend: readonly LegendEntry[];
  /** Parts in space, from back to front. */
  readonly pieces: readonly Piece[];
}

const AXIS_KEYS = ['xaxis', 'yaxis', 'xaxis2', 'yaxis2'] as const;
type AxisKey = (typeof AXIS_KEYS)[number];
const idOf = (key: AxisKey): string => key.replace('axis', '');
const letterOf = (key: AxisKey): 'x' | 'y' => (key.startsWith('x') ? 'x' : 'y');

const STILL_TYPES = ['scatter', 'scatter3d', 'mesh3d'];

/** True if the figure has only points, lines and surfaces; heat maps are drawn by plotly.js alone. */
export const canBeStill = ({ data }: PlotFigure): boolean =>
  data.every(({ type = 'scatter' }) => STILL_TYPES.includes(type));

const isInSpace = ({ data }: PlotFigure): boolean => data.some(({ type = 'scatter' }) => type !== 'scatter');

/** Margin around the data, as a share of its range. */
const PADDING = 0.06;

/** The names of an axis that has names instead of numbers. */
function namesOn(data: readonly Series[], id: string, letter: 'x' | 'y'): readonly string[] {
  const values = data.flatMap((series): unknown[] => {
    const list: unknown = series[letter];
    return (series[`${letter}axis`] ?? letter) === id && Array.isArray(list) ? list : [];
  });
  return typeof values[0] === 'string'
    ? [...new Set(values.filter((value) => typeof value === 'string'))]
    : [];
}

/** The default range of an axis: all data, with a margin. */
function fittedRange(data: readonly Series[], id: string, letter: 'x' | 'y'): readonly [number, number] {
  const drawn = data.filter((series) => isShown(series) && (series[`${letter}axis`] ?? letter) === id);
  let [low, high] = [Infinity, -Infinity];
  for (const series of drawn) {
    const bars = numbersOf(errorsOf(series, letter)?.array);
    for (const [index, value] of numbersOf(series[letter]).entries()) {
      if (value === null) continue;
      low = Math.min(low, value - (bars[index] ?? 0));
      high = Math.max(high, value + (bars[index] ?? 0));
    }
  }
  if (low > high) return [0, 1];
  const isTight = letter === 'x' && drawn.every(({ mode }) => mode === 'lines');
  const room = low === high ? Math.abs(low) / 2 || 1 : isTight ? 0 : PADDING * (high - low);
  return [low - room, high + room];
}

interface Measured {
  readonly key: AxisKey;
  readonly axis: Axis;
}

function rangeOf(data: readonly Series[], key: AxisKey, layout: Partial<Layout>): readonly [number, number] {
  const letter = letterOf(key);
  const own = layout[key] ?? {};
  if (own.matches === letter) return rangeOf(data, `${letter}axis`, layout);
  const given = numbersOf(own.range);
  if (given[0] !== undefined && given[0] !== null && given[1] !== undefined && given[1] !== null)
    return [given[0], given[1]];
  const names = namesOn(data, idOf(key), letter);
  const range: readonly [number, number] =
    names.length > 0 ? [-0.5, names.length - 0.5] : fittedRange(data, idOf(key), letter);
  return own.autorange === 'reversed' ? [range[1], range[0]] : range;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function ticksOf(
  own: Partial<LayoutAxis>,
  letter: 'x' | 'y',
  range: readonly [number, number],
  length: number,
  names: readonly string[],
): readonly Tick[] {
  if (own.visible === false) return [];
  const [low, high] = [Math.min(...range), Math.max(...range)];
  const dtick = typeof own.dtick === 'number' ? own.dtick : undefined;
  const scale = { range, length, letter, nticks: own.nticks, dtick };
  const given = numbersOf(own.tickvals);
  const texts: readonly unknown[] = Array.isArray(own.ticktext) ? own.ticktext : [];
  const ticks =
    names.length > 0
      ? names.map((text, at) => ({ at, text }))
      : (own.tickvals ? given.filter((at) => at !== null) : tickPlaces(scale)).map((at, index) => ({
          at,
          text: own.ticktext ? textOf(texts[index]) : tickText(at, scale, own.tickformat ?? ''),
        }));
  const rounding = 1e-9 * (high - low);
  return ticks
    .filter(({ at }) => at >= low - rounding && at <= high + rounding)
    .map(({ at, text }) => ({ at, text: text + (own.ticksuffix ?? '') }));
}

/**
 * The axes of a plot area. If an axis is linked to the scale of another axis, its range is widened to fit the shape of
 * the area.
 */
function axesIn(data: readonly Series[], layout: Partial<Layout>, box: Box): readonly Measured[] {
  const keys = AXIS_KEYS.filter((key) => layout[key] !== undefined);
  const ends = (key: AxisKey): readonly [number, number] => {
    const [from = 0, to = 1] = layout[key]?.domain ?? [0, 1];
    const place = (share: number): number =>
      letterOf(key) === 'x'
        ? box.left + share * (box.right - box.left)
        : box.bottom - share * (box.bottom - box.top);
    return [place(from), place(to)];
  };
  const lengthOf = (key: AxisKey): number => Math.abs(ends(key)[1] - ends(key)[0]);
  const ranges = new Map(keys.map((key) => [key, rangeOf(data, key, layout)]));
  for (const key of keys) {
    const other = keys.find((one) => idOf(one) === layout[key]?.scaleanchor);
    if (!other) continue;
    const per = (one: AxisKey): number => {
      const [from, to] = ranges.get(one) ?? [0, 1];
      return lengthOf(one) / Math.abs(to - from);
    };
    const [wide, scale] = per(key) > per(other) ? [key, per(other)] : [other, per(key)];
    const [from, to] = ranges.get(wide) ?? [0, 1];
    const half = lengthOf(wide) / scale / 2;
    ranges.set(wide, [(from + to) / 2 - half, (from + to) / 2 + half]);
  }
  return keys.map((key) => {
    const [letter, own] = [letterOf(key), layout[key] ?? {}];
    const range = ranges.get(key) ?? [0, 1];
    const names = namesOn(data, idOf(key), letter);
    const ticks = ticksOf(own, letter, range, lengthOf(key), names);
    const anchor = own.anchor ?? (letter === 'x' ? 'y' : 'x');
    return { key, axis: { letter, layout: own, range, ends: ends(key), ticks, names, anchor } };
  });
}

export const TICK_FONT = 13;
export const tickFontOf = (layout: Partial<LayoutAxis>): number => layout.tickfont?.size ?? TICK_FONT;
/** px from an axis to its labels. */
export const labelGap = (size: number): number => 1 + 0.2 * size;

/** px that the labels of an axis take beside it. */
function labelDepth({ letter, layout, ticks }: Axis): number {
  const size = tickFontOf(layout);
  if (layout.showticklabels === false) return 4;
  return letter === 'x'
    ? labelGap(size) + size + lineBox(size).descent
    : labelGap(size) + Math.max(0, ...ticks.map(({ text }) => textWidth(text, size)));
}

/** px that plotly.js leaves around a note. */
export const NOTE_PADDING = 2;

/**
 * The title of an axis as a note beside the tick labels. plotly.js would move a title when the labels change, but does
 * not move a note.
 */
function titleNote(key: AxisKey, axes: readonly Measured[], box: Box): Partial<Annotations> | null {
  const axis = axes.find((one) => one.key === key)?.axis;
  const title = axis?.layout.title;
  if (!axis || typeof title !== 'object' || !title.text || axis.layout.visible === false) return null;
  const size = title.font?.size ?? TICK_FONT + 1;
  const away = labelDepth(axis) + (title.standoff ?? 0);
  const anchor = axes.find((one) => idOf(one.key) === axis.anchor)?.axis.ends ?? [box.left, box.right];
  const shared = {
    text: title.text,
    showarrow: false,
    xref: 'paper',
    yref: 'paper',
    font: { size, ...title.font },
  } as const;
  const shareX = (px: number): number => (px - box.left) / (box.right - box.left);
  const shareY = (px: number): number => (box.bottom - px) / (box.bottom - box.top);
  const middle = (axis.ends[0] + axis.ends[1]) / 2;
  if (axis.letter === 'x') {
    const isTop = axis.layout.side === 'top';
    return {
      ...shared,
      x: shareX(middle),
      xanchor: 'center',
      y: shareY(anchor[isTop ? 1 : 0]),
      yanchor: isTop ? 'bottom' : 'top',
      yshift: (isTop ? 1 : -1) * (away - NOTE_PADDING),
    };
  }
  const half = textHeight(title.text, size) / 2;
  // A title beyond the edge would be cut off.
  const at = Math.max(half + NOTE_PADDING, anchor[0] - away - half);
  return {
    ...shared,
    textangle: '-90',
    x: shareX(anchor[0]),
    xanchor: 'center',
    xshift: at - anchor[0],
    y: shareY(middle),
    yanchor: 'middle',
  };
}

/** px that plotly.js leaves around the entries of a legend and inside them. */
const ENTRY = { gap: 5, text: 40, least: 16 } as const;

export const legendFont = ({ legend }: Partial<Layout>): number => legend?.font?.size ?? TICK_FONT;

interface LegendSize {
  readonly height: number;
  readonly width: number;
  readonly entries: readonly LegendEntry[];
}

/**
 * The legend with entries side by side, in columns if one row is too narrow; positions from the upper left of the
 * legend.
 */
function legendSize(data: readonly Series[], layout: Partial<Layout>, room: number): LegendSize {
  const size = legendFont(layout);
  const named = data.flatMap((series, index) =>
    series.visible === false ||
    series.showlegend === false ||
    series.type === 'mesh3d' ||
    // A series without points has no entry.
    series.x?.length === 0
      ? []
      : [{ series, name: series.name ?? `trace ${index}` }],
  );
  if (!(layout.showlegend ?? named.length > 1) || named.length === 0)
    return { height: 0, width: 0, entries: [] };
  if (layout.legend?.traceorder === 'reversed') named.reverse();
  const widths = named.map(({ name }) => ENTRY.text + textWidth(name, size));
  const row = Math.max(LINE_HEIGHT * size, ENTRY.least) + 3;
  const total = widths.reduce((sum, width) => sum + width, 0) + (named.length - 1) * ENTRY.gap;
  const isOneRow = total < room;
  const column = Math.max(...widths);
  let [x, y, width] = [0, 0, 0];
  const entries = named.map((entry, index): LegendEntry => {
    const next = (isOneRow ? (widths[index] ?? 0) : column) + ENTRY.gap;
    if (x > 0 && next + x - ENTRY.gap >= room) [x, y] = [0, y + row];
    const place = { ...entry, x, y: y + row / 2 + ENTRY.gap };
    width = Math.max(width, x + (widths[index] ?? 0) + ENTRY.gap);
    x += next;
    return place;
  });
  return { height: Math.ceil(y + row + 2 * ENTRY.gap), width: Math.ceil(width), entries };
}

/** Axes of a drawing whose positions are already in px of its box. */
const pixelAxes = ({ left, top, right, bottom }: Box): Partial<Layout> => ({
  xaxis: { visible: false, range: [0, right - left] },
  yaxis: { visible: false, range: [0, bottom - top] },
});

/** Minimum distance in px of the legend from the upper edge. */
const EDGE = 2;

export function settle(
  figure: PlotFigure,
  colors: ChartColors,
  size: { readonly width: number; readonly height: number },
): Settled {
  const { width, height } = size;
  const series = figure.data as readonly Series[];
  const layout = chartLayout(colors, figure.layout);
  const { l = 64, r = 20, t = 20, b = 52 } = layout.margin ?? {};
  const bearsNames = (layout.yaxis?.automargin ?? false) && namesOn(series, 'y', 'y');
  const left = bearsNames
    ? Math.max(l, ...bearsNames.map((name) => textWidth(name, TICK_FONT) + labelGap(TICK_FONT) + 6))
    : l;
  const legend = legendSize(series, layout, Math.max(80, width - left - r));
  const legendAt = layout.legend?.y ?? 1;
  // The position of the legend is a share of the plot height, which depends on the margin that is being computed.
  // Repeat until the margin no longer changes.
  let top = t;
  for (let round = 0; round < 3; round++)
    if (legend.height > 0)
      top = Math.max(t, Math.ceil(legend.height + EDGE + (legendAt - 1) * (height - top - b)));
  // `autoexpand: false` prevents plotly.js from choosing other margins. The types lack it.
  const margin = { l: left, r, t: top, b, autoexpand: false };
  // At least 1 px, because a chart may be narrower than its margins, for example while a panel unfolds.
  const box: Box = { left, top, right: Math.max(left + 1, width - r), bottom: Math.max(top + 1, height - b) };
  const space = isInSpace(figure) ? eyeOn(figure) : null;
  const { data, pieces } = space ? flattened(figure, space.eye, box) : { data: series, pieces: [] };
  const drawnAxes = space ? pixelAxes(box) : layout;
  const axes = axesIn(data, drawnAxes, box);
  const titles = axes.flatMap(({ key }) => titleNote(key, axes, box) ?? []);
  const legendLeft =
    box.left +
    (layout.legend?.x ?? 0) * (box.right - box.left) -
    (layout.legend?.xanchor === 'right' ? legend.width : 0);
  const legendTop = box.bottom - legendAt * (box.bottom - box.top) - legend.height;
  const shift = Math.max(0, Math.min(legendLeft, width - legend.width));
  return {
    width,
    height,
    box,
    data,
    pieces,
    axes: new Map(axes.map(({ key, axis }) => [idOf(key), axis])),
    legend: legend.entries.map((entry) => ({ ...entry, x: entry.x + shift, y: entry.y + legendTop })),
    layout: {
      ...layout,
      width,
      height,
      margin,
      annotations: [...(layout.annotations ?? []), ...titles],
      ...(space ? { scene: space.scene } : {}),
      ...Object.fromEntries(
        axes.map(({ key, axis }) => [
          key,
          {
            ...axis.layout,
            ...(axis.layout.tickformat ? {} : { tickformatstops: TICK_FORMATS }),
            title: { text: '' },
            ...(axis.layout.matches ? {} : { range: [...axis.range], autorange: false }),
            automargin: false,
            // No rotation, because a rotated label would be at another position.
            tickangle: 0,
          },
        ]),
      ),
    },
  };
}
