/** Screening: queries over the whole catalogue on in-memory columns (docs/contributing/adr/0016). */
import { finished } from 'node:stream';
import type { CallAnswer } from '@unitcell/contract/common';
import {
  downloadScreened,
  materialRows,
  screenElements,
  screenMaterials,
  screenPoints,
  type ScreenRequest,
} from '@unitcell/contract/matdata';
import { stableInOxygen } from '@unitcell/contract/matdata/rules';
import { allOf, printFilter } from '@unitcell/filter';
import { fieldOf, SEARCH_ROW } from '@unitcell/material';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { readOpenGas } from '../../domain/thermodynamics/open-gas.ts';
import { packJson, done, RawJson, serveCall, StreamedFile } from '../../http/serve-call.ts';
import { indexRefresher } from '../../infra/index-refresher.ts';
import { openThreadPool, taskAdmission } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import { FILE_TYPES, writeResult } from './download/write-result.ts';
import { onScale, type ScreenIndex } from './index/screen-index.ts';
import {
  assertField,
  expressionsOf,
  fingerprintOf,
  isField,
  isNumber,
  namesIn,
  readCursor,
  readFilter,
  sortOf,
  writeCursor,
} from './screen-request.ts';
import { rowsOf, screenRows } from './screen-rows.ts';
import type * as screenThread from './screen.thread.ts';

/** Time limit for reading the catalogue. A million materials take minutes. */
const INDEX_SECONDS = 3600;
/**
 * Memory limit, MiB. All distinct formulas are in a map during reading: 3,000,000 materials need more than 512.
 */
const INDEX_HEAP_MB = 4096;
/** Queries take milliseconds, so few threads serve many users. */
const SCREEN_THREADS = 2;
/** Decimals of the oxygen potential in the filter; the page uses the same number. */
const OXYGEN_DECIMALS = 4;

/** Number of simultaneous downloads. They are written on the event loop between other requests. */
const DOWNLOADS_AT_ONCE = 8;
/** Queries of other features need no energies, so they name no scale. */
const NO_SCALE = '';
const BY_NUMBER = { field: '', desc: false };
const WITHOUT_COUNTS = { offset: 0, facets: [] } as const;
const DEFAULT_FIELDS: readonly string[] = SEARCH_ROW.map((name) => fieldOf(name).column);
const DEFAULT_LIMIT = 20;
/** All rows without counts. */
const ALL = { limit: 2 ** 31, offset: 0, after: null, facets: [] } as const;

/** The condition of stability in oxygen. @throws AppError stability.bad-temperature, stability.bad-pressure */
function inOxygenAt(oxygen: NonNullable<ScreenRequest['stable_in_oxygen']>, functional: string) {
  const { chemical_potential: potential } = readOpenGas({ gas: 'O2', ...oxygen }, functional);
  return readFilter(stableInOxygen(Number(potential.toFixed(OXYGEN_DECIMALS))));
}

export function screenFeature(
  app: FastifyInstance,
  { config, database, catalogueCaches, phaseEntries, completeness, indexes, materialFinder, log }: Services,
): void {
  const { limits } = config;
  const answering = openThreadPool({
    size: SCREEN_THREADS,
    taskSeconds: limits.taskSeconds,
    waiting: limits.tasksWaiting,
    perOwner: { running: limits.tasksPerOwner, waiting: limits.tasksWaitingPerOwner },
    isKeptWarm: true,
  });
  const reading = openThreadPool({ size: 1, taskSeconds: INDEX_SECONDS, maxHeapMb: INDEX_HEAP_MB });
  const file = new URL('./screen.thread.ts', import.meta.url);
  const reader = reading.open<typeof screenThread>(file);
  const refresher = indexRefresher<ScreenIndex>({
    name: 'screening index',
    refresh: (state) =>
      reader.run('readIndex', {
        databaseUrl: config.databaseUrl,
        versions: state?.versions ?? null,
        isFederated: config.optimadeAccess !== 'off',
      }),
    onFresh: ({ ids, release }, milliseconds) =>
      log.info({ materials: ids.length, release, milliseconds }, 'screening index ready'),
    onCatalogueChange: catalogueCaches.onChange,
    log,
  });
  indexes.set('screening', refresher);
  app.addHook('onListen', async () => refresher.start());
  app.addHook('onClose', async () => {
    refresher.close();
    await reading.close();
    await answering.close();
  });
  const threads = answering.open<typeof screenThread>(file);
  materialFinder.offer(async (query, caller) => {
    // A page of results may be seconds old. For other features PostgreSQL provides the latest changes.
    if (!refresher.isUpToDate()) return null;
    const index = onScale(await refresher.current(), NO_SCALE);
    return threads.run(
      'runScreen',
      { ...query, sort: query.sort ?? BY_NUMBER, index, ...WITHOUT_COUNTS },
      caller,
    );
  });

  const stored = screenRows(database);
  const downloads = taskAdmission({
    slots: DOWNLOADS_AT_ONCE,
    waiting: limits.tasksWaiting,
    perOwner: { running: limits.tasksPerOwner, waiting: limits.tasksWaitingPerOwner },
  });

  /**
   * Parses filter, scale and sort of a request and gets the index.
   * @throws FilterError, AppError screen.*, phase.unknown-scale
   */
  async function begin(request: Pick<ScreenRequest, 'filter' | 'stable_in_oxygen' | 'scale' | 'sort'>) {
    const sort = sortOf(request.sort);
    const typed = readFilter(request.filter);
    const scale = await phaseEntries.scale(request.scale);
    const inOxygen = request.stable_in_oxygen && inOxygenAt(request.stable_in_oxygen, scale.functional);
    const filter = allOf([typed, inOxygen].flatMap((part) => (part ? [part.tree] : [])));
    const state = await refresher.current();
    return { filter, sort, scale, state, index: onScale(state, scale.functional) };
  }

  // Up to 1,000 rows are written as JSON directly, without validation by the schema. A test compares them
  // with the contract.
  serveCall(app, screenMaterials, async ({ body: request, caller }) => {
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
    const { systems, ...page } = await rowsOf(stored, found.ids, fields, scale.functional);
    const last = found.ids.at(-1);
    const answer: CallAnswer<typeof screenMaterials> = {
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
    return new RawJson(JSON.stringify(answer));
  });

  /** Returns all points of a plot of the result. */
  serveCall(app, screenPoints, async ({ body: request, caller }) => {
    const { x, y, color = null } = request;
    for (const name of color === null ? [x, y] : [x, y, color]) assertField(name, isNumber);
    const { filter, index } = await begin(request);
    const expressions = expressionsOf([...namesIn(filter), x, y, color ?? '']);
    const points = await threads.run('pointsJson', { index, filter, expressions, x, y, color }, caller);
    return new RawJson(await packJson(points));
  });

  /** Returns a number for each element of the periodic table. */
  serveCall(app, screenElements, async ({ body: request, caller }) => {
    const { field = null } = request;
    if (field !== null) assertField(field, isNumber);
    const { filter, index } = await begin(request);
    const expressions = expressionsOf([...namesIn(filter), field ?? '']);
    return { ...done, ...(await threads.run('runElements', { index, filter, expressions, field }, caller)) };
  });

  serveCall(app, materialRows, async ({ body: { ids, fields = DEFAULT_FIELDS, ...request } }) => {
    for (const name of fields) assertField(name, isField);
    const scale = await phaseEntries.scale(request.scale);
    const { release } = await refresher.current();
    const { systems, ...page } = await rowsOf(stored, ids, fields, scale.functional);
    const answer: CallAnswer<typeof materialRows> = {
      ...done,
      scale,
      release,
      fields: [...fields],
      ...page,
      completeness: await completeness.ofEach(scale.functional, systems),
    };
    return new RawJson(JSON.stringify(answer));
  });

  /** Sends the whole result or the listed materials as a file in parts. */
  serveCall(app, downloadScreened, async ({ body, caller, reply }) => {
    const { ids, format, calculated = [], ...request } = body;
    const end = await downloads.begin(caller);
    finished(reply.raw, end);
    const { filter, sort, scale, state, index } = await begin(request);
    const { release } = state;
    const expressions = expressionsOf([...namesIn(filter), sort.field]);
    const found = ids
      ? { ids }
      : await threads.run('runScreen', { ...ALL, index, filter, expressions, sort }, caller);
    const parts = writeResult(format, {
      ids: found.ids ?? [],
      scale: scale.functional,
      release,
      stored,
      completeness,
      calculated: expressionsOf(calculated),
    });
    return new StreamedFile(parts, FILE_TYPES[format], `unitcell-release-${release}.${format}`);
  });
}
