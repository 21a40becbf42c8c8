/**
 * Brings the search index up to what the table `powder_pattern` holds. Runs in a worker thread with a connection of its
 * own, so that neither the bytes nor the work touch the event loop.
 */
import {
  openPatternIndex,
  PACKED_PATTERN_VERSION,
  type PatternEntry,
  type PatternIndex,
  updatedPatternIndex,
} from '@unitcell/diffraction';
import pg from 'pg';

export interface IndexState {
  /** The index (openPatternIndex). Never written to: a newer state is another buffer. */
  readonly buffer: SharedArrayBuffer;
  /** Pairs of struct_id and row version (xmin) as they were read, ids rising: 8 bytes per material. */
  readonly versions: Uint32Array;
  /** Rows that are no pattern of this version of the format, and are not in the index. */
  readonly unreadable: number;
}

export interface RefreshRequest {
  readonly databaseUrl: string;
  readonly state: IndexState | null;
  /** Int32Array [patterns read, patterns to read]. */
  readonly progress: SharedArrayBuffer;
}

/** Patterns read and put on the grid at a time: about 100 MB while they are. Every page copies the index once. */
const PAGE = 50_000;

/** xmin changes with every version of a row, so one pass over 8 bytes per material tells what came, went and changed. */
const VERSIONS = `SELECT coalesce(string_agg(int4send(struct_id) || xidsend(xmin), ''::bytea ORDER BY struct_id), ''::bytea)
  AS versions FROM powder_pattern`;

async function readVersions(client: pg.Client): Promise<Uint32Array> {
  const { rows } = await client.query<{ versions: Buffer }>(VERSIONS);
  const bytes = rows[0]!.versions;
  const words = new Uint32Array(new SharedArrayBuffer(bytes.length));
  for (let i = 0; i < words.length; i++) words[i] = bytes.readUInt32BE(4 * i);
  return words;
}

interface Changes {
  /** New or replaced. */
  readonly added: number[];
  readonly removed: number[];
}

/** Two lists of rising ids side by side. */
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

async function readPatterns(client: pg.Client, ids: readonly number[]): Promise<PatternEntry[]> {
  const { rows } = await client.query<{ struct_id: number; pattern: Buffer }>(
    'SELECT struct_id, pattern FROM powder_pattern WHERE struct_id = ANY($1::int[])',
    [ids],
  );
  return rows.map(({ struct_id, pattern }) => ({ id: struct_id, packed: pattern }));
}

async function refresh(client: pg.Client, { state, progress }: RefreshRequest): Promise<IndexState | null> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const versions = await readVersions(client);
  const { added, removed } = changesBetween(state?.versions ?? new Uint32Array(), versions);
  if (state && added.length === 0 && removed.length === 0) return null;
  const done = new Int32Array(progress);
  done[1] = added.length;
  let index: PatternIndex | undefined = state ? openPatternIndex(state.buffer) : undefined;
  let unreadable = state?.unreadable ?? 0;
  for (let from = 0; from === 0 || from < added.length; from += PAGE) {
    const page = await readPatterns(client, added.slice(from, from + PAGE));
    const readable = page.filter(isStored);
    unreadable += page.length - readable.length;
    // What became unreadable must not stay with its old lines.
    const gone = page.filter((entry) => !isStored(entry)).map(({ id }) => id);
    const remove = from === 0 ? [...removed, ...gone] : gone;
    index = updatedPatternIndex(index, { add: readable, remove }, { shared: true });
    Atomics.add(done, 0, page.length);
  }
  return { buffer: index!.buffer as SharedArrayBuffer, versions, unreadable };
}

export interface Refreshed {
  /** null when nothing changed. */
  readonly state: IndexState | null;
  readonly milliseconds: number;
}

export async function refreshIndex(request: RefreshRequest): Promise<Refreshed> {
  const begun = performance.now();
  const client = new pg.Client({ connectionString: request.databaseUrl });
  // A connection that breaks between two questions says so here; the next question reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const state = await refresh(client, request);
    return { state, milliseconds: Math.round(performance.now() - begun) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
