/**
 * The search index of calculated patterns, updated from the table `powder_pattern`. `refreshIndex` runs in a worker thread with
 * its own connection, so that neither the data nor the work block the event loop.
 */
import {
  openPatternIndex,
  PACKED_PATTERN_VERSION,
  type PatternEntry,
  type PatternIndex,
  updatedPatternIndex,
} from '@unitcell/diffraction';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { DB } from '../../../generated/tables/tables.ts';
import type { Db } from '../../../infra/database.ts';
import { indexRefresher, type Refreshed } from '../../../infra/index-refresher.ts';
import { anyOf, columnsOf } from '../../../infra/sql.ts';

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
const structId = columnsOf('powder_pattern')('struct_id');
const VERSIONS = sql<Buffer>`coalesce(string_agg(int4send(${structId}) || xidsend(xmin), ''::bytea ORDER BY ${structId}), ''::bytea)`;

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
  const pool = new pg.Pool({ connectionString: request.databaseUrl, max: 1 });
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
