/** Functions shared by the parts of a static drawing. */
import type { ReactNode } from 'react';
import type { ChartColors } from './chart-theme.ts';
import type { Box } from './plot-figure.ts';
import type { Axis, Settled } from './settled.ts';

export interface StillProps {
  readonly settled: Settled;
  readonly colors: ChartColors;
}

/** Rounds to a tenth of a pixel, which is finer than any screen. */
export const px = (value: number): number => Math.round(value * 10) / 10;

export const placeOn = ({ range: [from, to], ends: [start, end] }: Axis, value: number): number =>
  start + ((value - from) / (to - from)) * (end - start);

export const entryOf = <Value,>(
  value: Value | readonly Value[] | undefined,
  index: number,
): Value | undefined =>
  Array.isArray(value) ? (value as readonly Value[])[index] : (value as Value | undefined);

/** Dashes of the same length as in plotly.js. */
export function dashOf(dash: string | undefined, width: number): string | undefined {
  const unit = Math.max(width, 3);
  const parts = { dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1] }[dash ?? ''];
  return parts?.map((part) => part * unit).join(' ');
}

export type Point = readonly [x: number, y: number];

/** Clips with a nested viewport: it needs no id, which another drawing on the page could share. */
export function Clipped({ box, children }: { readonly box: Box; readonly children: ReactNode }) {
  const { left, top } = box;
  const [width, height] = [box.right - left, box.bottom - top];
  return (
    <svg
      x={left}
      y={top}
      width={width}
      height={height}
      viewBox={`${left} ${top} ${width} ${height}`}
      overflow="hidden"
    >
      {children}
    </svg>
  );
}

/** The colours of a colour scale with their positions; null if the series has no colour scale. */
export const stopsOf = (scale: unknown): readonly (readonly [number, string])[] | null =>
  Array.isArray(scale) ? scale : null;
