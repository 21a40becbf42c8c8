/**
 * The rules of screening: a filter as text or tree, one energy scale, any sort column, and counts of
 * remaining rows.
 */
import { createHash } from 'node:crypto';
import type { CallAnswer } from '@unitcell/contract/define-call';
import type {
  downloadScreened,
  materialRows,
  screenElements,
  screenMaterials,
  screenPoints,
  ScreenRequest,
} from '@unitcell/contract/matdata';
import {
  checkFilter,
  type Filter,
  FilterError,
  isExpression,
  nearestOf,
  type ParsedFilter,
  parseFilter,
  printFilter,
  propertiesOf,
  readTree,
} from '@unitcell/filter';
import { fieldOf, SEARCH_ROW } from '@unitcell/material';
import type { z } from 'zod';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula, type PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import { type PackedJson, packJson } from '../../http/representation.ts';
import type { IndexRefresher } from '../../infra/index-refresher.ts';
import type { Caller } from '../../infra/task-admission.ts';
import type { ThreadHandle } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import { FILE_TYPES, writeResult } from './download/write-result.ts';
import { type Expression, readExpression, runExpression } from './expression.ts';
import { isColumn, onScale, type ScreenIndex } from './index/screen-index.ts';
import { SCREEN_FIELDS } from './screen-fields.ts';
import type { ScreenRepository } from './screen.repository.ts';
import type * as screenThread from './screen.thread.ts';

interface ScreenOptions {
  readonly refresher: IndexRefresher<ScreenIndex>;
  readonly threads: ThreadHandle<typeof screenThread>;
  readonly repository: ScreenRepository;
  readonly phaseEntries: Pick<PhaseEntries, 'scale'>;
  readonly completeness: Pick<Completenesses, 'ofEach'>;
}

type DownloadRequest = z.output<(typeof downloadScreened)['request']>;
type PointsRequest = z.output<(typeof screenPoints)['request']>;
type ElementsRequest = z.output<(typeof screenElements)['request']>;
type RowsRequest = z.output<(typeof materialRows)['request']>;

export type Screen = ReturnType<typeof screen>;

const DEFAULT_FIELDS: readonly string[] = SEARCH_ROW.map((name) => fieldOf(name).column);
const DEFAULT_SORT = 'energy_above_hull';
const DEFAULT_LIMIT = 20;
/** All rows without counts. */
const ALL = { limit: 2 ** 31, offset: 0, after: null, facets: [] } as const;
const done = { error: 'false', message: '' } as const;

/** @throws AppError screen.unknown-field, FilterError of an expression */
function assertField(name: string, isIt: (name: string) => boolean): void {
  if (isIt(name)) return;
  if (isExpression(name)) {
    expressionOf(name);
    return;
  }
  const known = [...SCREEN_FIELDS.keys()].filter(isIt);
  throw new AppError('screen.unknown-field', { name: name.slice(0, 60), nearest: nearestOf(name, known) });
}

const isNumber = (name: string): boolean => SCREEN_FIELDS.get(name)?.type === 'number';
const isField = (name: string): boolean => SCREEN_FIELDS.has(name);

function sortOf(text: string | undefined): { readonly field: string; readonly desc: boolean } {
  const wanted = text?.trim() || DEFAULT_SORT;
  const desc = wanted.startsWith('-');
  const field = desc ? wanted.slice(1) : wanted;
  assertField(field, isColumn);
  return { field, desc };
}

/** @throws FilterError */
function readFilter(filter: ScreenRequest['filter']): ParsedFilter | null {
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

/** Each expression needs a column for the whole catalogue during a query. */
const MAX_EXPRESSIONS = 20;
/** Steps of all expressions in a query: a power takes 18 ms over 300,000 rows, so a query stays below 2 s. */
const MAX_STEPS = 120;

/** The expressions among column names. @throws FilterError */
function expressionsOf(names: readonly string[]): Readonly<Record<string, Expression>> {
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

const namesIn = (filter: Filter | null): readonly string[] => (filter === null ? [] : propertiesOf(filter));

/** The units of expressions, for answers that have any. */
const unitsOf = (expressions: Readonly<Record<string, Expression>>) => {
  const units = Object.entries(expressions).map(([name, { unit }]) => [name, unit] as const);
  return units.length === 0 ? {} : { units: Object.fromEntries(units) };
};

/** The chemical system of a row, from its last column, the formula. */
const systemOf = (row: readonly unknown[]): readonly string[] => elementsOfFormula(String(row.at(-1)));

export function screen({ refresher, threads, repository, phaseEntries, completeness }: ScreenOptions) {
  /** Parses filter, scale and sort of a request and gets the index. */
  async function begin(request: Pick<ScreenRequest, 'filter' | 'scale' | 'sort'>) {
    const filter = readFilter(request.filter)?.tree ?? null;
    const sort = sortOf(request.sort);
    const scale = await phaseEntries.scale(request.scale);
    const state = await refresher.current();
    return { filter, sort, scale, state, index: onScale(state, scale.functional) };
  }

  /** These columns of the materials, calculated expressions included, and the chemical system of each. */
  async function rowsOf(ids: readonly number[], fields: readonly string[], scale: string) {
    const expressions = expressionsOf(fields);
    const needed = Object.values(expressions).flatMap(({ columns }) => columns);
    const stored = [...new Set([...fields.filter((name) => !isExpression(name)), ...needed])];
    const rows = await repository.rows(ids, [...stored, 'formula'], scale);
    const column = (name: string): readonly unknown[] => rows.map((row) => row[stored.indexOf(name)]);
    const numbers = (name: string): readonly number[] =>
      column(name).map((value) => (value === null ? Number.NaN : Number(value)));
    const columns = fields.map((name): readonly unknown[] => {
      const expression = expressions[name];
      if (!expression) return column(name);
      return [...runExpression(expression, rows.length, numbers)].map((value) =>
        Number.isNaN(value) ? null : value,
      );
    });
    return {
      rows: rows.map((_, place) => columns.map((values) => values[place])),
      systems: rows.map(systemOf),
      ...unitsOf(expressions),
    };
  }

  return {
    /** @throws FilterError, AppError screen.*, phase.unknown-scale */
    async find(request: ScreenRequest, caller: Caller): Promise<CallAnswer<typeof screenMaterials>> {
      const { fields = DEFAULT_FIELDS, facets = [], limit = DEFAULT_LIMIT, offset = 0 } = request;
      for (const name of [...fields, ...facets]) assertField(name, isField);
      const { filter, sort, scale, state, index } = await begin(request);
      const text = filter === null ? '' : printFilter(filter);
      const query = fingerprintOf(text, scale.functional, sort.field, String(sort.desc));
      const { release } = state;
      const after = request.cursor === undefined ? null : readCursor(request.cursor, { release, query });
      const expressions = expressionsOf([...namesIn(filter), sort.field, ...facets]);
      const found = await threads.run(
        'runScreen',
        { index, filter, expressions, sort, limit, offset, after, facets },
        caller,
      );
      if (found.ids === null) throw new AppError('screen.cursor-release', { release, now: release });
      const { systems, ...page } = await rowsOf(found.ids, fields, scale.functional);
      const last = found.ids.at(-1);
      return {
        ...done,
        filter: text,
        scale,
        release,
        catalogue: state.ids.length,
        total: found.total,
        fields: [...fields],
        ...page,
        completeness: await completeness.ofEach(scale.functional, systems),
        next: found.isLast || last === undefined ? null : writeCursor({ release, query, after: last }),
        facets: found.facets,
        conditions: [...found.conditions],
      };
    },

    /** All points of a plot of the result, ready to be sent. @throws as find */
    async points(request: PointsRequest, caller: Caller): Promise<PackedJson> {
      const { x, y, color = null } = request;
      for (const name of color === null ? [x, y] : [x, y, color]) assertField(name, isNumber);
      const { filter, index } = await begin(request);
      const expressions = expressionsOf([...namesIn(filter), x, y, color ?? '']);
      return packJson(await threads.run('pointsJson', { index, filter, expressions, x, y, color }, caller));
    },

    /** A number over the periodic table. @throws as find */
    async elements(request: ElementsRequest, caller: Caller): Promise<CallAnswer<typeof screenElements>> {
      const { field = null } = request;
      if (field !== null) assertField(field, isNumber);
      const { filter, index } = await begin(request);
      const expressions = expressionsOf([...namesIn(filter), field ?? '']);
      return {
        ...done,
        ...(await threads.run('runElements', { index, filter, expressions, field }, caller)),
      };
    },

    /** @throws AppError screen.unknown-field, phase.unknown-scale */
    async rows(request: RowsRequest): Promise<CallAnswer<typeof materialRows>> {
      const { ids, fields = DEFAULT_FIELDS } = request;
      for (const name of fields) assertField(name, isField);
      const scale = await phaseEntries.scale(request.scale);
      const { release } = await refresher.current();
      const { systems, ...page } = await rowsOf(ids, fields, scale.functional);
      return {
        ...done,
        scale,
        release,
        fields: [...fields],
        ...page,
        completeness: await completeness.ofEach(scale.functional, systems),
      };
    },

    /** The whole result, or the listed materials, as a file in parts. @throws as find */
    async download({ ids, format, calculated = [], ...request }: DownloadRequest, caller: Caller) {
      const { filter, sort, scale, state, index } = await begin(request);
      const { release } = state;
      const expressions = expressionsOf([...namesIn(filter), sort.field]);
      const found = ids
        ? { ids }
        : await threads.run('runScreen', { ...ALL, index, filter, expressions, sort }, caller);
      return {
        parts: writeResult(format, {
          ids: found.ids ?? [],
          scale: scale.functional,
          release,
          repository,
          completeness,
          calculated: expressionsOf(calculated),
        }),
        type: FILE_TYPES[format],
        name: `unitcell-release-${release}.${format}`,
      };
    },
  };
}

// ── Cursor of the next page: holds the release and the query it belongs to ──

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

/** The id after which the page begins. @throws AppError screen.cursor-* */
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
