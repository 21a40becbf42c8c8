/**
 * The search index of calculated patterns: how it is updated from the table `powder_pattern`, and how worker threads search
 * it. `refreshIndex` runs in a worker thread with its own connection, so that neither the data nor the work block the
 * event loop.
 */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import {
  BOUND_CHUNK,
  buildPatternIndex,
  DiffractionError,
  type MatchMethod,
  openPatternIndex,
  PACKED_PATTERN_VERSION,
  packedPatternOf,
  type PatternEntry,
  type PatternIndex,
  type PatternQuery,
  type SearchHit,
  searchPatterns,
  updatedPatternIndex,
} from '@unitcell/diffraction';
import { firstAtOrAbove } from '@unitcell/numerics';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { DB } from '../../../generated/tables/tables.ts';
import type { Db } from '../../../infra/database.ts';
import { indexRefresher, type Refreshed } from '../../../infra/index-refresher.ts';
import { KEEP_ALIVE } from '../../../infra/notifications.ts';
import { anyOf, columnsOf } from '../../../infra/sql.ts';
import type { Match } from './match-queue.ts';

export interface IndexState {
  /** The index (openPatternIndex). It is immutable: a newer state is another buffer. */
  readonly buffer: SharedArrayBuffer;
  /** Pairs of struct_id and row version (xmin) as read, sorted by id: 8 bytes per material. */
  readonly versions: Uint32Array;
  /** Rows without a pattern in this version of the format; such rows are not in the index. */
  readonly unreadable: number;
}

export interface RefreshRequest {
  readonly databaseUrl: string;
  readonly state: IndexState | null;
  /** Int32Array [patterns read, patterns to read]. */
  readonly progress: SharedArrayBuffer;
}

/**
 * Number of patterns read and put on the grid at a time, which takes about 100 MB of memory. The index is copied once
 * for each page.
 */
const PAGE = 50_000;

/** xmin changes with every version of a row, so one pass over 8 bytes per material finds all changes. */
const ID = columnsOf('powder_pattern')('struct_id');
const VERSIONS = sql<Buffer>`coalesce(string_agg(int4send(${ID}) || xidsend(xmin), ''::bytea ORDER BY ${ID}), ''::bytea)`;

async function readVersions(tx: Db): Promise<Uint32Array> {
  const { versions: bytes } = await tx
    .selectFrom('powder_pattern')
    .select(VERSIONS.as('versions'))
    .executeTakeFirstOrThrow();
  const words = new Uint32Array(new SharedArrayBuffer(bytes.length));
  for (let i = 0; i < words.length; i++) words[i] = bytes.readUInt32BE(4 * i);
  return words;
}

interface Changes {
  /** New or replaced patterns. */
  readonly added: number[];
  readonly removed: number[];
}

/** Merges two lists of ids in ascending order. */
export function changesBetween(before: Uint32Array, now: Uint32Array): Changes {
  const added: number[] = [];
  const removed: number[] = [];
  let i = 0;
  for (let j = 0; j < now.length; j += 2) {
    while (i < before.length && before[i]! < now[j]!) {
      removed.push(before[i]!);
      i += 2;
    }
    const isKnown = i < before.length && before[i] === now[j];
    if (!isKnown || before[i + 1] !== now[j + 1]) added.push(now[j]!);
    if (isKnown) i += 2;
  }
  for (; i < before.length; i += 2) removed.push(before[i]!);
  return { added, removed };
}

const isStored = ({ packed }: PatternEntry): boolean =>
  packed[0] === PACKED_PATTERN_VERSION && packed.length === 2 + 4 * (packed[1] ?? 0);

const readPatterns = (tx: Db, ids: readonly number[]): Promise<PatternEntry[]> =>
  tx
    .selectFrom('powder_pattern')
    .select(['struct_id as id', 'pattern as packed'])
    .where('struct_id', '=', anyOf(ids, 'int'))
    .execute();

async function refresh(tx: Db, { state, progress }: RefreshRequest): Promise<IndexState | null> {
  const versions = await readVersions(tx);
  const { added, removed } = changesBetween(state?.versions ?? new Uint32Array(), versions);
  if (state && added.length === 0 && removed.length === 0) return null;
  const done = new Int32Array(progress);
  done[1] = added.length;
  let index: PatternIndex | undefined = state ? openPatternIndex(state.buffer) : undefined;
  let unreadable = state?.unreadable ?? 0;
  for (let from = 0; from === 0 || from < added.length; from += PAGE) {
    const page = await readPatterns(tx, added.slice(from, from + PAGE));
    const readable = page.filter(isStored);
    unreadable += page.length - readable.length;
    // If a row became unreadable, its old pattern must not stay in the index.
    const gone = page.filter((entry) => !isStored(entry)).map(({ id }) => id);
    const remove = from === 0 ? [...removed, ...gone] : gone;
    index = updatedPatternIndex(index, { add: readable, remove }, { shared: true });
    Atomics.add(done, 0, page.length);
  }
  return { buffer: index!.buffer as SharedArrayBuffer, versions, unreadable };
}

export async function refreshIndex(request: RefreshRequest): Promise<Refreshed<IndexState>> {
  const begun = performance.now();
  const pool = new pg.Pool({ connectionString: request.databaseUrl, max: 1, ...KEEP_ALIVE });
  // Without a listener, a connection that breaks while idle would crash the process; the next query reports
  // it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    const state = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => refresh(tx, request));
    return { state, milliseconds: Math.round(performance.now() - begun) };
  } finally {
    await db.destroy().catch(() => undefined);
  }
}

// ── The refresher: keeps the index up to date, and reports the progress of its first build ──

export type PatternIndexRefresher = ReturnType<typeof patternIndexRefresher>;

interface RefresherOptions {
  readonly databaseUrl: string;
  /** Runs in a separate thread, so that a search never waits for it. */
  readonly refreshIndex: (request: RefreshRequest) => Promise<Refreshed<IndexState>>;
  /** Calls back after every change of the catalogue and whenever changes may have been missed. */
  readonly onCatalogueChange: (callback: () => void) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export function patternIndexRefresher(options: RefresherOptions) {
  const { databaseUrl, onCatalogueChange, log } = options;
  const progress = new SharedArrayBuffer(8);
  let newest: { patterns: number; at: number } | null = null;
  const refresher = indexRefresher<IndexState>({
    name: 'pattern index',
    refresh: (state) => {
      new Int32Array(progress).fill(0);
      return options.refreshIndex({ databaseUrl, state, progress });
    },
    onFresh: (fresh, milliseconds) => {
      const patterns = fresh.versions.length / 2;
      newest = { patterns, at: performance.now() };
      const megabytes = Math.round((fresh.buffer.byteLength + fresh.versions.byteLength) / 1e6);
      log.info({ patterns, megabytes, milliseconds }, 'pattern index ready');
      if (fresh.unreadable > 0)
        log.warn(
          { unreadable: fresh.unreadable },
          'stored patterns in an old format are not searched: run unitcell rebuild patterns',
        );
    },
    onCatalogueChange,
    log,
  });
  return {
    ...refresher,
    /** The newest finished index; waits for the first one. @throws AppError server.busy when it cannot be built now */
    current: async () => (await refresher.current()).buffer,
    /** Progress, 0 to 1, while the first index is being built; otherwise null. */
    buildProgress(): number | null {
      if (refresher.isReady()) return null;
      const [done = 0, all = 0] = new Int32Array(progress);
      return all > 0 ? done / all : 0;
    },
    /** Patterns of the newest index, and seconds since it changed; null before the first. */
    figures: () =>
      newest && { patterns: newest.patterns, ageSeconds: (performance.now() - newest.at) / 1000 },
  };
}

// ── Shared by the threads of one search: a stop flag, a step count, the best bound so far ──

const STOP = 0;
const STEPS = 1;

const openControl = (buffer: SharedArrayBuffer) => ({
  flags: new Int32Array(buffer, 0, 2),
  /**
   * [0]: distance of the last listed hit so far. A bound from any thread is valid for all threads, so a lost
   * update only costs time.
   */
  bound: new Float64Array(buffer, 8, 1),
});

function newControl(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(16);
  openControl(buffer).bound[0] = Number.POSITIVE_INFINITY;
  return buffer;
}

const stopSearch = (control: SharedArrayBuffer): void =>
  void Atomics.store(openControl(control).flags, STOP, 1);

/** Steps counted so far. */
const stepsDone = (control: SharedArrayBuffer): number => Atomics.load(openControl(control).flags, STEPS);

interface IndexSearch {
  readonly index: SharedArrayBuffer;
  readonly query: PatternQuery;
  readonly method: MatchMethod;
  readonly top: number;
  readonly maxStrain: number;
  /** Positions of the candidates in ascending order; undefined: all patterns. */
  readonly candidates?: Uint32Array | undefined;
}

/** The part of a search that one thread runs. */
export interface SearchRequest extends IndexSearch {
  readonly control: SharedArrayBuffer;
  readonly range: readonly [number, number];
}

export function searchPart({ index, control, query, ...options }: SearchRequest): SearchHit[] {
  const { flags, bound } = openControl(control);
  return searchPatterns(openPatternIndex(index), query, {
    ...options,
    shouldStop() {
      Atomics.add(flags, STEPS, 1);
      return Atomics.load(flags, STOP) === 1;
    },
    knownBound: () => bound[0]!,
    onBound: (distance) => {
      if (distance < bound[0]!) bound[0] = distance;
    },
  });
}

/** Stored forms of the neutron patterns. Materials with an element of unknown scattering length are left out. */
export const neutronPatterns = (
  materials: readonly { readonly structId: number; readonly conventional: CompactCell }[],
): PatternEntry[] =>
  materials.flatMap(({ structId, conventional }) => {
    try {
      return [{ id: structId, packed: packedPatternOf(fromCompactCell(conventional), { probe: 'neutron' }) }];
    } catch (error) {
      if (error instanceof DiffractionError) return [];
      throw error;
    }
  });

export const sharedIndex = (entries: readonly PatternEntry[]): SharedArrayBuffer =>
  buildPatternIndex(entries, { shared: true }).buffer as SharedArrayBuffer;

// ── One search of the index, divided among the threads ──

/** With fewer candidates a second thread takes more time than it saves. */
const WORTH_A_THREAD = 2_000;
/** Largest progress until the hits are reported. */
export const MOST_PROGRESS = 0.99;

/** The search threads, which share one match. */
interface SearchThreads {
  readonly size: number;
  run(name: 'searchPart', request: SearchRequest): Promise<SearchHit[]>;
}

/**
 * The nearest materials, nearest first; independent of the number of threads.
 * @throws AppError xrd.cancelled
 */
export async function searchIndex(
  threads: SearchThreads,
  match: Pick<Match, 'signal' | 'status'>,
  search: IndexSearch,
): Promise<SearchHit[]> {
  const size = search.candidates?.length ?? openPatternIndex(search.index).count;
  const parts = Math.max(1, Math.min(threads.size, Math.floor(size / WORTH_A_THREAD)));
  const bounds = Array.from({ length: parts + 1 }, (_, i) => Math.floor((size * i) / parts));
  const ranges = bounds.slice(1).map((to, i): [number, number] => [bounds[i]!, to]);
  const steps = ranges.reduce((sum, [from, to]) => sum + Math.ceil((to - from) / BOUND_CHUNK), 0);
  const control = newControl();
  match.status = () => ({
    state: 'running',
    progress: steps === 0 ? 0 : Math.min(MOST_PROGRESS, stepsDone(control) / steps),
  });
  match.signal.addEventListener('abort', () => stopSearch(control), { once: true });
  if (match.signal.aborted) stopSearch(control);
  const found = await Promise.all(
    ranges.map((range) => threads.run('searchPart', { ...search, control, range })),
  );
  return found
    .flat()
    .sort((a, b) => a.distance - b.distance || a.position - b.position)
    .slice(0, search.top);
}

/**
 * Positions of ids, both in ascending order; ids that are not in the index are left out. Threads share the
 * result.
 */
export function positionsOf(ids: Uint32Array, indexed: Uint32Array): Uint32Array {
  const found = new Uint32Array(new SharedArrayBuffer(4 * Math.min(ids.length, indexed.length)));
  let count = 0;
  let at = 0;
  for (const id of ids) {
    // For few ids a binary search is faster, for many ids a merge.
    if (ids.length * 20 < indexed.length) at = firstAtOrAbove(indexed, id, at);
    else while (at < indexed.length && indexed[at]! < id) at++;
    if (indexed[at] === id) found[count++] = at;
  }
  return found.subarray(0, count);
}
