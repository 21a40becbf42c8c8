/** Bands that touch share one line of the table: 60 lines that all say so help nobody. */
import { type BandChernNumber, ISOLATION_GAP } from '@unitcell/tight-binding';

export interface ChernRow {
  /** First and last band of the line, from 0; the same for an isolated band. */
  readonly first: number;
  readonly last: number;
  /** Undefined for bands that touch. */
  readonly chern: number | undefined;
  /** Smallest distance at one k to the bands outside the line; infinite when there are none. */
  readonly gap: number;
}

/** Lines of the table, from the lowest band up. */
export function chernRows(bands: readonly BandChernNumber[]): ChernRow[] {
  const rows: ChernRow[] = [];
  let first = 0;
  let below = Number.POSITIVE_INFINITY;
  bands.forEach(({ chern, gapAbove }, last) => {
    if (gapAbove < ISOLATION_GAP) return;
    rows.push({ first, last, chern, gap: Math.min(below, gapAbove) });
    first = last + 1;
    below = gapAbove;
  });
  return rows;
}
