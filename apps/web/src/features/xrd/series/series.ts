/** A series of scans with the same phases: order, starting values, and the course of fractions and cells. */
import type { RefinedPhase, RefineResult } from '@unitcell/contract/xrd';
import { axisStyle, type ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { nameOf } from '../refine/refine-view-model.ts';

export interface SeriesScan {
  readonly name: string;
  /** Temperature, time or another number from the file's name. */
  readonly position: number;
  /** Null if the scan could not be read or refined; `problem` says why. */
  readonly result: RefineResult | null;
  readonly problem: string;
}

/**
 * Position of each file: the last number in the name that differs between the files; if there is none, the order from
 * 1. A minus counts only at the beginning of a word, as in `-20C`.
 */
export function positionsOf(names: readonly string[]): number[] {
  const numbers = names.map((name) =>
    [...name.replace(/\.[^.]*$/, '').matchAll(/(?<![A-Za-z\d.])-\d+(?:\.\d+)?|\d+(?:\.\d+)?/g)].map(
      ([text]) => Number(text),
    ),
  );
  const columns = Math.min(...numbers.map(({ length }) => length));
  for (let column = columns - 1; column >= 0; column--) {
    const values = numbers.map((row) => row[column] ?? 0);
    if (new Set(values).size === names.length) return values;
  }
  return names.map((_, index) => index + 1);
}

/** Uniform strain of the refined cell relative to the cell of the catalogue. The next scan starts from it. */
export const strainOf = ({ cell }: RefinedPhase): number =>
  Math.max(-0.05, Math.min(0.05, Math.cbrt(cell.volume.value / cell.volume.start) - 1));

/** `fraction` in % by weight, edges in Å, volume in Å³. */
export const SERIES_QUANTITIES = ['fraction', 'a', 'b', 'c', 'volume'] as const;
export type SeriesQuantity = (typeof SERIES_QUANTITIES)[number];

export function estimateOf(
  phase: RefinedPhase,
  quantity: SeriesQuantity,
): { readonly value: number; readonly esd: number | null } | null {
  if (quantity !== 'fraction') return phase.cell[quantity];
  const fraction = phase.weight_fraction;
  return fraction && { value: 100 * fraction.value, esd: fraction.esd === null ? null : 100 * fraction.esd };
}

/** Names of the phases of a series, which are the same in all scans. */
export const phaseNames = (scans: readonly SeriesScan[]): string[] =>
  scans.find(({ result }) => result !== null)?.result?.phases.map(nameOf) ?? [];

export function seriesFigure(
  scans: readonly SeriesScan[],
  quantity: SeriesQuantity,
  titles: { readonly x: string; readonly y: string },
  colors: ChartColors,
): PlotFigure {
  const axis = axisStyle(colors);
  return {
    data: phaseNames(scans).map((name, index) => {
      const points = scans.flatMap(({ position, result }) => {
        const phase = result?.phases[index];
        const estimate = phase && estimateOf(phase, quantity);
        return estimate ? [{ position, ...estimate }] : [];
      });
      const color = colors.series[index % colors.series.length] ?? colors.ink;
      return {
        type: 'scatter',
        mode: 'lines+markers',
        name,
        x: points.map(({ position }) => position),
        y: points.map(({ value }) => value),
        error_y: {
          type: 'data',
          array: points.map(({ esd }) => esd ?? 0),
          visible: true,
          color,
          thickness: 1,
        },
        line: { color, width: 1.2 },
        marker: { color, size: 6 },
      };
    }),
    layout: {
      xaxis: { ...axis, title: { text: titles.x } },
      yaxis: { ...axis, title: { text: titles.y } },
      showlegend: true,
    },
  };
}

/** One row for every scan, for CSV: position, R factor, and value and e.s.d. of every quantity of every phase. */
export function seriesTable(scans: readonly SeriesScan[]): {
  header: string[];
  rows: (string | number | null)[][];
} {
  const names = phaseNames(scans);
  return {
    header: [
      'file',
      'position',
      'verdict',
      'Rwp (%)',
      ...names.flatMap((name) =>
        SERIES_QUANTITIES.flatMap((quantity) => [`${name} ${quantity}`, `${name} ${quantity} esd`]),
      ),
    ],
    rows: scans.map(({ name, position, result, problem }) => [
      name,
      position,
      result?.verdict ?? problem,
      result ? 100 * result.r_wp : null,
      ...names.flatMap((_, index) =>
        SERIES_QUANTITIES.flatMap((quantity) => {
          const phase = result?.phases[index];
          const estimate = phase && estimateOf(phase, quantity);
          return [estimate?.value ?? null, estimate?.esd ?? null];
        }),
      ),
    ]),
  };
}
