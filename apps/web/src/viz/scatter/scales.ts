/** Ends and ticks of an axis, linear or logarithmic, and the ranges covered by a drag. */
import { type AxisScale, tickPlaces, tickStep } from '../plot/axis-ticks.ts';

export interface Extent {
  readonly from: number;
  readonly to: number;
  /** True for a logarithmic axis. Both ends are then positive. */
  readonly isLog?: boolean;
}

/**
 * The range of the numbers with a small margin; a flat axis is widened so that its points can be seen.
 * @param isLog a logarithmic axis, on which only positive numbers lie
 */
export function extentOf(values: readonly number[], isLog = false): Extent {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (isLog && value <= 0) continue;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  if (isLog) {
    if (!(from <= to)) return { from: 1, to: 10, isLog };
    const factor = from === to ? 2 : (to / from) ** 0.03;
    return { from: from / factor, to: to * factor, isLog };
  }
  if (!(from <= to)) return { from: 0, to: 1 };
  const room = from === to ? Math.abs(from) / 2 || 1 : (to - from) * 0.03;
  return { from: from - room, to: to + room };
}

/** A number as shown on an axis: at most four significant digits, with a true minus sign. */
export const shownNumber = (value: number): string =>
  String(Number(value.toPrecision(4))).replace('-', '\u2212');

const scaleOf = ({ from, to }: Extent, count: number): AxisScale => ({
  range: [from, to],
  length: 0,
  letter: 'x',
  nticks: count,
});

/** About `count` round numbers; on a logarithmic axis powers of ten, on a short one also their double and fivefold. */
export function ticksOf(extent: Extent, count = 6): readonly number[] {
  if (!extent.isLog) return tickPlaces(scaleOf(extent, count));
  const [low, high] = [Math.log10(extent.from), Math.log10(extent.to)];
  const isShort = high - low <= 3;
  const first = isShort ? Math.floor(low) : Math.ceil(low);
  const every = Math.max(1, Math.ceil((Math.floor(high) - first) / count));
  const steps = isShort ? [1, 2, 5] : [1];
  return Array.from({ length: Math.floor((high - first) / every) + 1 }, (_, index) => first + index * every)
    .flatMap((power) => steps.map((step) => Number((step * 10 ** power).toPrecision(12))))
    .filter((tick) => tick >= extent.from && tick <= extent.to);
}

/** About `count` ticks of an axis that contains zero and all the numbers, and that begins and ends at a tick. */
export function ticksFromZero(values: readonly number[], count = 3): readonly number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const around = { from: low, to: low === high ? 1 : high };
  const step = tickStep(scaleOf(around, count));
  const first = Math.floor(around.from / step);
  return Array.from({ length: Math.ceil(around.to / step) - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** Position of a value on an axis, 0 to 1; NaN for a number that a logarithmic axis cannot show. */
export const placeOf = ({ from, to, isLog }: Extent, value: number): number => {
  if (!isLog) return (value - from) / (to - from);
  return value > 0 ? Math.log(value / from) / Math.log(to / from) : Number.NaN;
};

/** The range between two positions on an axis, with as many digits as the plot can resolve. */
export function rangeBetween({ from, to, isLog }: Extent, a: number, b: number): Extent {
  const within = (place: number): number => Math.max(0, Math.min(1, place));
  if (isLog) {
    const at = (place: number): number => Number((from * (to / from) ** within(place)).toPrecision(4));
    return { from: at(Math.min(a, b)), to: at(Math.max(a, b)) };
  }
  const digits = Math.max(0, 3 - Math.floor(Math.log10(to - from)));
  const at = (place: number): number => Number((from + within(place) * (to - from)).toFixed(digits));
  return { from: at(Math.min(a, b)), to: at(Math.max(a, b)) };
}

/** Number of bars of a histogram beside an axis. */
const BARS = 48;

/** The numbers along an axis as a histogram: the outline of its bars in a unit square, highest bar 1, upwards. */
export function histogramPath(extent: Extent, values: readonly number[]): string {
  const counts = Array.from({ length: BARS }, () => 0);
  for (const value of values) {
    const place = placeOf(extent, value);
    if (place >= 0 && place <= 1) counts[Math.min(BARS - 1, Math.floor(place * BARS))]! += 1;
  }
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, bar) => `V${1 - count / most}H${(bar + 1) / BARS}`);
  return `M0 1${bars.join('')}V1Z`;
}
