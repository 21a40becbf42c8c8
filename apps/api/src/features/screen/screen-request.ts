/** The request of a screening: a filter as text or tree, a sort column, fields and expressions, and a cursor. */
import { createHash } from 'node:crypto';
import type { ScreenRequest } from '@unitcell/contract/matdata';
import {
  checkFilter,
  type Filter,
  FilterError,
  isExpression,
  nearestOf,
  type ParsedFilter,
  parseFilter,
  propertiesOf,
  readTree,
} from '@unitcell/filter';
import { AppError } from '../../messages/app-error.ts';
import { type Expression, readExpression } from './expression.ts';
import { isColumn } from './index/screen-index.ts';
import { SCREEN_FIELDS } from './screen-fields.ts';

const DEFAULT_SORT = 'energy_above_hull';

/** @throws AppError screen.unknown-field, FilterError of an expression */
export function assertField(name: string, isIt: (name: string) => boolean): void {
  if (isIt(name)) return;
  if (isExpression(name)) {
    expressionOf(name);
    return;
  }
  const known = [...SCREEN_FIELDS.keys()].filter(isIt);
  throw new AppError('screen.unknown-field', { name: name.slice(0, 60), nearest: nearestOf(name, known) });
}

export const isNumber = (name: string): boolean => SCREEN_FIELDS.get(name)?.type === 'number';
export const isField = (name: string): boolean => SCREEN_FIELDS.has(name);

export function sortOf(text: string | undefined): { readonly field: string; readonly desc: boolean } {
  const wanted = text?.trim() || DEFAULT_SORT;
  const desc = wanted.startsWith('-');
  const field = desc ? wanted.slice(1) : wanted;
  assertField(field, isColumn);
  return { field, desc };
}

/** @throws FilterError */
export function readFilter(filter: ScreenRequest['filter']): ParsedFilter | null {
  if (filter === undefined || (typeof filter === 'string' && filter.trim() === '')) return null;
  const parsed = typeof filter === 'string' ? parseFilter(filter) : readTree(filter);
  checkFilter(parsed, SCREEN_FIELDS, (expression, text, at) => ({
    type: 'number',
    unit: readExpression(expression, SCREEN_FIELDS, text, at).unit,
  }));
  return parsed;
}

/** @throws FilterError */
const expressionOf = (name: string): Expression => readExpression(name, SCREEN_FIELDS);

/** Largest number of expressions, because each needs a column for the whole catalogue during a query. */
const MAX_EXPRESSIONS = 20;
/** Steps of all expressions in a query: a power takes 18 ms over 300,000 rows, so a query stays below 2 s. */
const MAX_STEPS = 120;

/** The expressions among column names. @throws FilterError */
export function expressionsOf(names: readonly string[]): Readonly<Record<string, Expression>> {
  const found = [...new Set(names)].filter(isExpression);
  const expressions = found.map((name) => [name, expressionOf(name)] as const);
  const steps = expressions.reduce((sum, [, expression]) => sum + expression.steps.length, 0);
  if (found.length > MAX_EXPRESSIONS || steps > MAX_STEPS)
    throw new FilterError(
      'too-many-expressions',
      `${found.length} different expressions of ${steps} steps; at most ${MAX_EXPRESSIONS} of ${MAX_STEPS} steps can be calculated at once`,
      { count: found.length, limit: MAX_EXPRESSIONS, steps, most: MAX_STEPS },
    );
  return Object.fromEntries(expressions);
}

export const namesIn = (filter: Filter | null): readonly string[] =>
  filter === null ? [] : propertiesOf(filter);

// ── Cursor of the next page. It contains the release and a hash of the query ──

interface Place {
  readonly release: number;
  /** Hash of filter, scale and sort. */
  readonly query: string;
  readonly after: number;
}

/** A short hash of a query. */
export const fingerprintOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

export const writeCursor = ({ release, query, after }: Place): string =>
  Buffer.from(`${release}.${query}.${after}`).toString('base64url');

/** Returns the id after which the page begins. @throws AppError screen.cursor-* */
export function readCursor(cursor: string, now: Omit<Place, 'after'>): number {
  const match = /^(\d{1,10})\.([\w-]{16})\.(\d{1,10})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  );
  if (!match) throw new AppError('screen.cursor-unreadable');
  const [, release, query, after] = match;
  if (query !== now.query) throw new AppError('screen.cursor-query');
  if (Number(release) !== now.release)
    throw new AppError('screen.cursor-release', { release: Number(release), now: now.release });
  return Number(after);
}
