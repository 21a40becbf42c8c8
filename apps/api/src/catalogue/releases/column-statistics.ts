/** Counts, extremes and quantiles of the numbers of all materials, for the report of a release. */
import { FIELD_NAMES, fields } from '@unitcell/material';
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { columnsOf } from '../../infra/sql.ts';

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
  const field = fields[name];
  if (field.kind !== 'number' && field.kind !== 'count') return [];
  return [{ column: field.column, unit: field.kind === 'number' ? (field.unit ?? '') : '' }];
});

export async function columnStatistics(db: Db): Promise<ColumnStatistics[]> {
  const figures = ({ column }: (typeof NUMBERS)[number]) => {
    const number = columnsOf('material')(column);
    return sql<Omit<ColumnStatistics, 'column' | 'unit'>>`jsonb_build_object('count', count(${number}),
      'min', min(${number}), 'max', max(${number}),
      'quantiles', percentile_cont(${sql.lit(`{${QUANTILES.join(',')}}`)}::float8[]) WITHIN GROUP (ORDER BY ${number}))`;
  };
  const row = await db
    .selectFrom('material')
    .select(NUMBERS.map((number) => figures(number).as(number.column)))
    .executeTakeFirstOrThrow();
  return NUMBERS.map(({ column, unit }) => ({ column, unit, ...row[column] }));
}
