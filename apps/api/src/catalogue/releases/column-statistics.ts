/** Counts, extremes and quantiles of the numbers of all materials, for the report of a release. */
import { FIELD_NAMES, fieldOf } from '@unitcell/material';
import type pg from 'pg';

export interface ColumnStatistics {
  readonly column: string;
  readonly unit: string;
  /** Materials that have it. */
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  /** At `QUANTILES`. */
  readonly quantiles: readonly number[] | null;
}

export const QUANTILES = [0.01, 0.25, 0.5, 0.75, 0.99] as const;

const NUMBERS = FIELD_NAMES.flatMap((name) => {
  const field = fieldOf(name);
  if (field.kind !== 'number' && field.kind !== 'count') return [];
  return [{ column: field.column, unit: field.kind === 'number' ? (field.unit ?? '') : '' }];
});

export async function columnStatistics(pool: Pick<pg.Pool, 'query'>): Promise<ColumnStatistics[]> {
  const columns = NUMBERS.map(
    ({ column }) =>
      `jsonb_build_object('count', count(${column}), 'min', min(${column}), 'max', max(${column}),
         'quantiles', percentile_cont(ARRAY[${QUANTILES.join(', ')}]) WITHIN GROUP (ORDER BY ${column})) AS ${column}`,
  );
  const { rows } = await pool.query<Record<string, Omit<ColumnStatistics, 'column' | 'unit'>>>(
    `SELECT ${columns.join(', ')} FROM material`,
  );
  return NUMBERS.map(({ column, unit }) => ({ column, unit, ...rows[0]![column]! }));
}
