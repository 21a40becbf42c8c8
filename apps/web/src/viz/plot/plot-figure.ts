/** The description of a figure in the form of plotly.js, and functions that read its series. */
import type { Data, Layout, PlotData, PlotMarker } from 'plotly.js';

export interface PlotFigure {
  readonly data: Data[];
  readonly layout: Partial<Layout>;
}

/** A series of points and lines. */
export type Series = Partial<Omit<PlotData, 'marker'>> & { readonly marker?: Partial<PlotMarker> };

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const isShown = ({ visible }: Series): boolean => visible !== false && visible !== 'legendonly';

/** The numbers of a list; null for other values. */
export const numbersOf = (values: unknown, names: readonly string[] = []): readonly (number | null)[] =>
  Array.isArray(values)
    ? values.map((value: unknown) => {
        if (typeof value === 'string' && names.length > 0) return names.indexOf(value);
        return typeof value === 'number' && Number.isFinite(value) ? value : null;
      })
    : [];

/** Bars of uncertainty along an axis. */
export function errorsOf(series: Series, letter: 'x' | 'y') {
  const bars = letter === 'x' ? series.error_x : series.error_y;
  return bars?.type === 'data' ? bars : undefined;
}
