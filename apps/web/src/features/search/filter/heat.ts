/** How strongly each element of a heat map is coloured. */
import type { ElementStatistic } from '@unitcell/contract/matdata';

export type ElementNumbers = Readonly<Record<string, ElementStatistic>>;

interface HeatTile extends ElementStatistic {
  readonly symbol: string;
  readonly value: number;
  /** 0 to 1. */
  readonly share: number;
}

export interface Heat {
  readonly tiles: readonly HeatTile[];
  /** Values of the palest and the fullest colour. */
  readonly from: number;
  readonly to: number;
}

/** @param isMedian of a number; otherwise the counts, coloured by their roots so that rare elements are seen beside oxygen */
export function heatOf(elements: ElementNumbers, isMedian: boolean): Heat {
  const valued = Object.entries(elements).flatMap(([symbol, numbers]) => {
    const value = isMedian ? numbers.median : numbers.count;
    return value === null ? [] : [{ symbol, value, ...numbers }];
  });
  const values = valued.map(({ value }) => value).sort((a, b) => a - b);
  const [from, to] = isMedian
    ? [
        values[Math.floor(0.03 * (values.length - 1))] ?? 0,
        values[Math.ceil(0.97 * (values.length - 1))] ?? 1,
      ]
    : [0, values.at(-1) ?? 1];
  const place = (value: number): number =>
    to === from ? 0.5 : Math.max(0, Math.min(1, (value - from) / (to - from)));
  return {
    from,
    to,
    tiles: valued.map((tile) => ({
      ...tile,
      share: isMedian ? place(tile.value) : Math.sqrt(place(tile.value)),
    })),
  };
}

/** Three digits, in the room of a tile. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  const text =
    size >= 10_000
      ? `${Math.round(value / 1000)}k`
      : size >= 100 || Number.isInteger(value)
        ? String(Math.round(value))
        : size >= 10
          ? value.toFixed(1)
          : value.toFixed(2);
  return text.replace('-', '\u2212');
}
