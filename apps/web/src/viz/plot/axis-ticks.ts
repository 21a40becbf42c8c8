/**
 * Ticks of an axis at the positions that plotly.js chooses (its `axes.js`), so that the static and the live drawing
 * agree.
 */
import type { TickFormatStop } from 'plotly.js';

/** Minimum distance in px between ticks of an axis. */
const ROOM = { x: 80, y: 40 } as const;
const FACTORS = [1, 2, 5, 10] as const;
const SI = { '-9': 'n', '-6': 'μ', '-3': 'm', '3': 'k', '6': 'M', '9': 'B' } as const;
/** Beyond this power of ten, ticks share a power that is written as a prefix, such as `k`. */
const PLAIN_POWER = 3;

const powerOf = (value: number): number => Math.floor(Math.log10(value) + 0.01);
const prefixOf = (power: number): string => (SI as Readonly<Record<string, string>>)[String(power)] ?? '';
const signed = (value: number, text: string): string =>
  value < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text;

/** Most decimals of ticks that all get the same number of decimals. */
const MOST_DECIMALS = 4;

/** For plotly.js: on an axis with steps below 1 all ticks have the same number of decimals, as in `tickText`. */
export const TICK_FORMATS = Array.from({ length: MOST_DECIMALS }, (_, index): Partial<TickFormatStop> => {
  const unit = 10 ** -(index + 1);
  return { dtickrange: [0.9 * unit, 6 * unit], value: `.${index + 1}f` };
});

export interface AxisScale {
  readonly range: readonly [number, number];
  /** px */
  readonly length: number;
  readonly letter: 'x' | 'y';
  readonly nticks?: number | undefined;
  readonly dtick?: number | undefined;
}

export function tickStep({ range, length, letter, nticks, dtick }: AxisScale): number {
  if (dtick) return dtick;
  const count = nticks || Math.min(9, Math.max(4, length / ROOM[letter])) + 1;
  const rough = Math.abs(range[1] - range[0]) / count;
  const base = 10 ** Math.floor(Math.log10(rough));
  return base * (FACTORS.find((factor) => factor * base >= rough * (1 - 1e-9)) ?? 10);
}

export function tickPlaces(scale: AxisScale): readonly number[] {
  const step = tickStep(scale);
  const [low, high] = [Math.min(...scale.range), Math.max(...scale.range)];
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** A number on an axis: `−2.5`, `12k`. `format` is a d3 format that figures here use: `~s`, `d`. */
export function tickText(value: number, scale: AxisScale, format: string): string {
  const size = Math.abs(value);
  if (format === 'd') return signed(value, String(Math.round(size)));
  if (format === '~s') {
    const power = size === 0 ? 0 : 3 * Math.floor(Math.log10(size) / 3 + 1e-9);
    return signed(value, Number((size / 10 ** power).toPrecision(6)) + prefixOf(power).replace('B', 'G'));
  }
  const same = -powerOf(tickStep(scale));
  if (same > 0 && same <= MOST_DECIMALS) return signed(value, size.toFixed(same));
  const largest = powerOf(Math.max(...scale.range.map(Math.abs)));
  const power = Math.abs(largest) > PLAIN_POWER ? 3 * Math.round((largest - 1) / 3) : 0;
  const decimals = Math.max(0, Math.min(12, 2 - powerOf(tickStep(scale)) + power));
  const text = String(Number((size / 10 ** power).toFixed(decimals)));
  return signed(value, text) + (text === '0' ? '' : prefixOf(power));
}
