/** Ends and ticks of an axis, and the ranges covered by a drag. */
import { type AxisScale, tickPlaces, tickStep } from '../plot/axis-ticks.ts';

export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** The range of the numbers with a small margin; a flat axis is widened so that its points can be seen. */
export function extentOf(values: readonly number[]): Extent {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < from) from = value;
    if (value > to) to = value;
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

/** About `count` round numbers. */
export const ticksOf = (extent: Extent, count = 6): readonly number[] => tickPlaces(scaleOf(extent, count));

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

/** Position of a value on an axis, 0 to 1. */
export const placeOf = ({ from, to }: Extent, value: number): number => (value - from) / (to - from);

/** The range between two positions on an axis, with as many digits as the plot can resolve. */
export function rangeBetween({ from, to }: Extent, a: number, b: number): Extent {
  const digits = Math.max(0, 3 - Math.floor(Math.log10(to - from)));
  const at = (place: number): number =>
    Number((from + Math.max(0, Math.min(1, place)) * (to - from)).toFixed(digits));
  return { from: at(Math.min(a, b)), to: at(Math.max(a, b)) };
}
