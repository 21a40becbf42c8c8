/** Axes of the band chart. */
import { tickPlaces } from '../../../viz/plot/axis-ticks.ts';

export type Interval = readonly [low: number, high: number];

/** About `wanted` round numbers inside the interval. */
export const ticksOf = ([low, high]: Interval, wanted: number): readonly number[] =>
  high > low && Number.isFinite(high - low)
    ? tickPlaces({ range: [low, high], length: 0, letter: 'y', nticks: Math.max(1, wanted) })
    : [];

/** Range of all bands with a margin; at least 0.2 wide, for flat bands alone. */
export function energyInterval(bands: readonly (readonly number[])[]): Interval {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const band of bands)
    for (const energy of band) {
      if (energy < low) low = energy;
      if (energy > high) high = energy;
    }
  if (low > high) return [-1, 1];
  const margin = Math.max((high - low) * 0.06, 0.1);
  return [low - margin, high + margin];
}

/** Zooms by `factor` (> 1: in) around `at`, within `limits`. */
export function zoomInterval([low, high]: Interval, factor: number, at: number, limits: Interval): Interval {
  const from = at - (at - low) / factor;
  const to = at + (high - at) / factor;
  if (to - from >= limits[1] - limits[0]) return limits;
  return shiftInterval([from, to], 0, limits);
}

export function shiftInterval([low, high]: Interval, by: number, [least, most]: Interval): Interval {
  const shift = Math.min(Math.max(by, least - low), most - high);
  return [low + shift, high + shift];
}

export const positionIn = (value: number, [low, high]: Interval): number => (value - low) / (high - low);

/** SVG path through the points; numbers to a tenth of a pixel. */
export function linePath(xs: readonly number[], ys: readonly number[]): string {
  let path = '';
  for (let n = 0; n < xs.length; n++)
    path += `${n === 0 ? 'M' : 'L'}${Math.round((xs[n] ?? 0) * 10) / 10} ${Math.round((ys[n] ?? 0) * 10) / 10}`;
  return path;
}

/** The point nearest to a chart position: x selects k, then y the band. */
export function nearestPoint(
  kDist: readonly number[],
  bands: readonly (readonly number[])[],
  k: number,
  energy: number,
): { readonly band: number; readonly point: number } {
  const nearest = (values: readonly number[], wanted: number): number =>
    values.reduce(
      (best, value, index) =>
        Math.abs(value - wanted) < Math.abs((values[best] ?? Number.POSITIVE_INFINITY) - wanted)
          ? index
          : best,
      0,
    );
  const point = nearest(kDist, k);
  return {
    band: nearest(
      bands.map((own) => own[point] ?? 0),
      energy,
    ),
    point,
  };
}

/** Describes a point of the path: a corner, or between two corners. */
export function legOf(hspNodes: readonly number[], hspLabels: readonly string[], k: number): string {
  const corner = hspNodes.findIndex((node) => Math.abs(node - k) < 1e-9);
  if (corner !== -1) return hspLabels[corner] ?? '';
  const after = hspNodes.findIndex((node) => node > k);
  return `${hspLabels[after - 1] ?? ''}–${hspLabels[after] ?? ''}`;
}

export interface ChartBox {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly bandsWidth: number;
  /** Left edge and width of the density of states. */
  readonly dosLeft: number;
  readonly dosWidth: number;
}

/** Layout of the band chart in pixels. */
export function chartBox(width: number, height: number): ChartBox {
  const isNarrow = width < 480;
  const left = isNarrow ? 38 : 54;
  const dosWidth = Math.round(width * (isNarrow ? 0.2 : 0.22));
  const [gap, right, top, bottom] = [isNarrow ? 6 : 12, 8, 26, 30];
  return {
    left,
    top,
    height: Math.max(10, height - top - bottom),
    bandsWidth: Math.max(10, width - left - gap - dosWidth - right),
    dosLeft: width - right - dosWidth,
    dosWidth,
  };
}

export const placeK = ({ left, bandsWidth }: ChartBox, interval: Interval, k: number): number =>
  left + positionIn(k, interval) * bandsWidth;
export const placeEnergy = ({ top, height }: ChartBox, interval: Interval, energy: number): number =>
  top + (1 - positionIn(energy, interval)) * height;
