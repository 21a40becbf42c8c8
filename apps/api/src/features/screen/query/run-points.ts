/** Two numbers of every row that passes, and a third to colour by: what a scatter plot of the whole result is drawn from. */
import type { Filter } from '@unitcell/filter';
import {
  type Expressions,
  type NumberColumn,
  type ScaledIndex,
  withExpressions,
} from '../index/screen-index.ts';
import { TRUE, verdictsOf } from './verdicts.ts';

export interface PointsQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
  readonly expressions?: Expressions;
  readonly x: string;
  readonly y: string;
  readonly color: string | null;
}

export interface Points {
  readonly total: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** null where it is unknown, or where nothing is coloured by. */
  readonly color: readonly (number | null)[] | null;
}

const DIGITS = 5;

/** More digits than a screen can show; without the text that `toPrecision` makes, which would cost more than all the rest. */
export function rounded(value: number): number {
  if (value === 0 || Number.isInteger(value)) return value;
  const shift = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  // Powers of ten up to 22 are exact, so that the quotient is the double nearest to the decimal.
  if (shift < 0 || shift > 22) return Number(value.toPrecision(DIGITS));
  const power = 10 ** shift;
  return Math.round(value * power) / power;
}

export function runPoints({ filter, expressions = {}, ...names }: PointsQuery): Points {
  const index = withExpressions(names.index, expressions);
  const verdicts = filter === null ? null : verdictsOf(index, filter);
  const [xs, ys, colors] = [names.x, names.y, names.color ?? ''].map((name) => {
    const column = index.columns[name];
    return column?.kind === 'number' ? (column satisfies NumberColumn).values : null;
  });
  const x: number[] = [];
  const y: number[] = [];
  const color: (number | null)[] = [];
  let total = 0;
  for (let row = 0; row < index.ids.length; row++) {
    if (verdicts && verdicts[row] !== TRUE) continue;
    total++;
    const [own, other] = [xs?.[row] ?? Number.NaN, ys?.[row] ?? Number.NaN];
    if (Number.isNaN(own) || Number.isNaN(other)) continue;
    x.push(rounded(own));
    y.push(rounded(other));
    const third = colors?.[row] ?? Number.NaN;
    color.push(Number.isNaN(third) ? null : rounded(third));
  }
  return { total, x, y, color: colors ? color : null };
}

/** As JSON: a thread writes it as it makes it. */
export const pointsJson = (query: PointsQuery): string =>
  JSON.stringify({ error: 'false', message: '', ...runPoints(query) });
