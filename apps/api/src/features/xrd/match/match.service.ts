/** Matches a measured pattern, or its remainder after known phases, with the whole database. */
import { parseStructId } from '@unitcell/contract/common';
import type {
  ExplainedPhase,
  MatchProgress,
  matchRequest,
  MatchResult,
  MatchWay,
  RestResult,
  XrdData,
} from '@unitcell/contract/xrd';
import {
  JUDGED_HITS,
  openPatternIndex,
  patternOfLines,
  type PatternQuery,
  type SearchHit,
} from '@unitcell/diffraction';
import { ScienceError } from '@unitcell/errors';
import type { z } from 'zod';
import type { Translate } from '../../../messages/messages.ts';
import { AppError } from '../../../messages/app-error.ts';
import { checkedSize } from '../../../domain/powder/powder-patterns.ts';
import {
  assertPattern,
  neutronIndex,
  type Radiation,
  readElementFilter,
  readRadiation,
} from '../patterns.service.ts';
import type { PatternIndexRefresher } from './pattern-index.ts';
import type { XrdRepository } from '../xrd.repository.ts';
import { type Matched, toHits, toPeaks, toRow, verdictOf } from './match.mapper.ts';
import type { Match, MatchQueue } from './match-queue.ts';
import {
  type MeasuredRequest,
  newControl,
  type ReportRequest,
  type Rest,
  type RestRequest,
  type SearchRequest,
  stepsDone,
  stopSearch,
} from './search-part.ts';
import type * as xrdThread from '../xrd.thread.ts';
import type { ThreadHandle, ThreadPool } from '../../../infra/thread-pool.ts';

type AskedMatch = z.output<typeof matchRequest>;

/** A request with its pattern. For a list of lines, the pattern is drawn from the lines. */
type MatchBody = AskedMatch & { readonly xrd_data: XrdData };

/** Seconds; shorter waits are not mentioned in the answer. */
const NOTABLE_WAIT = 0.5;

export interface RequestOrigin {
  readonly accountId: number;
  readonly t: Translate;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Options {
  readonly threads: MatchThreads;
  readonly refresher: PatternIndexRefresher;
  readonly repository: XrdRepository;
  /** The scale of the energies above the hull. */
  readonly functional: string;
  readonly queue: MatchQueue;
}

const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

/**
 * A pattern without a signal is an error of the user. All other errors of the package are excluded before.
 * @param x angles of the pattern, degrees
 * @throws AppError xrd.no-signal
 */
export async function withSignal<T>(work: Promise<T>, x: ArrayLike<number>, wavelength: number): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ScienceError && error.parameters.reason === 'no-signal')
      throw new AppError('xrd.no-signal', { from: x[0]!, to: x[x.length - 1]!, wavelength });
    throw error;
  }
}

/** @throws AppError xrd.lines.either, xrd.lines.unseen, xrd.unknown-source, xrd.bad-wavelength */
function withPattern<Body extends AskedMatch>(body: Body): Body & MatchBody {
  const { xrd_data, lines } = body;
  if ((xrd_data === undefined) === (lines === undefined)) throw new AppError('xrd.lines.either');
  if (xrd_data) return { ...body, xrd_data };
  const { wavelength } = readRadiation(body.radiation);
  const listed = (lines ?? []).map(([d, intensity]) => ({ d, intensity }));
  const drawn = patternOfLines(listed, wavelength);
  if (!drawn) throw new AppError('xrd.lines.unseen', { lines: listed.length, wavelength });
  return { ...body, xrd_data: { ...drawn, name: 'normlized', background_removed: true } };
}

export type Matches = ReturnType<typeof matches>;

export function matches({ threads, refresher, repository, functional, queue }: Options) {
  /** Validates everything that needs no search. */
  function read(body: MatchBody): { measured: MeasuredRequest; radiation: Radiation } {
    const radiation = readRadiation(body.radiation);
    readElementFilter(body.elements);
    assertPattern(body.xrd_data);
    const { x, y, background_removed } = body.xrd_data;
    return {
      radiation,
      measured: {
        x,
        y,
        hasBackground: !background_removed,
        wavelength: radiation.wavelength,
        probe: radiation.probe,
        isSlitVariable: body.variable_slit,
        ...(body.crystal_size === undefined ? {} : { crystalliteSizeNm: checkedSize(body.crystal_size) }),
      },
    };
  }

  async function search(
    match: Match,
    body: MatchBody,
    { query, probe }: { readonly query: PatternQuery; readonly probe: Radiation['probe'] },
    without: ReadonlySet<number>,
  ): Promise<{ found: Matched[]; candidates: number; areElementsKnown: boolean }> {
    match.status = () => {
      const built = refresher.buildProgress();
      return built === null
        ? { state: 'running', progress: 0 }
        : { state: 'indexing', progress: Math.min(MOST_PROGRESS, built) };
    };
    const index = await refresher.current();
    const { ids, count } = openPatternIndex(index);
    const filter = readElementFilter(body.elements);
    const candidates = filter ? positionsOf(await repository.structIds(filter), ids) : null;
    const neutrons =
      probe === 'neutron'
        ? await neutronIndex(threads, repository, candidates?.map((at) => ids[at]!) ?? ids)
        : null;
    // The verdict needs more hits than the user may have requested.
    const top = Math.max(body.top, JUDGED_HITS);
    const hits = await searchIndex(threads, match, {
      index: neutrons?.index ?? index,
      query,
      method: body.match_way,
      top: top + without.size,
      maxStrain: body.max_strain,
      candidates: neutrons ? null : candidates,
    });
    const wanted = hits.filter(({ id }) => !without.has(id)).slice(0, top);
    const materials = new Map(
      (await repository.materials(wanted.map(({ id }) => id))).map((row) => [row.structId, row]),
    );
    // Materials deleted during the search are omitted.
    const present = wanted.flatMap(({ id, distance, strain }) => {
      const material = materials.get(id);
      return material ? [{ material, distance, strain }] : [];
    });
    const request: ReportRequest = {
      peaks: query.peaks,
      wavelength: query.wavelength,
      probe,
      range: [body.xrd_data.x[0]!, body.xrd_data.x.at(-1)!],
      hits: present.map(({ material: { structId, pattern }, strain }) => ({
        pattern: neutrons?.patterns.get(structId) ?? pattern,
        strain,
      })),
    };
    const reports = await threads.run('reportHits', request);
    return {
      found: present.map((hit, i) => ({ ...hit, report: reports[i]! })),
      candidates: candidates?.length ?? count,
      areElementsKnown: filter !== undefined && !filter.others,
    };
  }

  interface Answering {
    readonly match: Match;
    readonly body: MatchBody;
    readonly radiation: Radiation;
    readonly query: PatternQuery;
    readonly without: ReadonlySet<number>;
    readonly t: Translate;
  }

  async function answer({ match, body, radiation, query, without, t }: Answering): Promise<MatchResult> {
    const begun = performance.now();
    const { found, candidates, areElementsKnown } = await search(
      match,
      body,
      { query, probe: radiation.probe },
      without,
    );
    const waited = seconds(match.waited);
    return {
      error: 'false',
      message: '',
      results: found.slice(0, body.top).map(toRow),
      functional,
      crystal_size: Number(query.crystalliteSizeNm.toFixed(2)),
      radiation: radiation.name,
      wavelength: radiation.wavelength,
      hits: toHits(found, body.top, query.peaks, radiation.wavelength, areElementsKnown),
      ...verdictOf(found, t, areElementsKnown),
      peaks: toPeaks(query.peaks, query.peaks, radiation.wavelength),
      warnings: [
        ...(body.xrd_data.background_removed ? [] : [t('xrd.note.background')]),
        ...(waited >= NOTABLE_WAIT ? [t('xrd.note.waited', { seconds: waited.toFixed(1) })] : []),
      ],
      candidates,
      seconds: seconds(performance.now() - begun),
      waited_seconds: waited,
    };
  }

  async function phasesOf(phases: readonly ExplainedPhase[], probe: Radiation['probe']) {
    const ids = phases.map(({ struct_id }) => parseStructId(struct_id));
    const known = ids.filter((id) => id !== null);
    const stored = await repository.materials(known);
    const neutrons =
      probe === 'neutron'
        ? (await neutronIndex(threads, repository, Uint32Array.from(known))).patterns
        : undefined;
    return phases.map(({ struct_id, strain }, i) => {
      const material = stored.find(({ structId }) => structId === ids[i]);
      if (!material) throw new AppError('xrd.no-pattern', { id: String(struct_id).slice(0, 20) });
      const { structId, pattern } = material;
      return { structId, pattern: neutrons?.get(structId) ?? pattern, strain };
    });
  }

  return {
    /** @throws AppError for errors that a user can correct; xrd.cancelled */
    async match(asked: AskedMatch, { accountId, t, signal }: RequestOrigin): Promise<MatchResult> {
      const body = withPattern(asked);
      const { measured, radiation } = read(body);
      return queue.run({ accountId, matchId: body.match_id, signal }, async (match) => {
        const query = await withSignal(
          threads.run('prepareMatch', measured),
          measured.x,
          measured.wavelength,
        );
        return answer({ match, body, radiation, query, without: new Set(), t });
      });
    },

    /** @throws AppError the errors of `match`; xrd.no-pattern */
    async explain(
      asked: AskedMatch & { readonly phases: readonly ExplainedPhase[] },
      { accountId, t, signal }: RequestOrigin,
    ): Promise<RestResult> {
      const body = withPattern(asked);
      const { measured, radiation } = read(body);
      return queue.run({ accountId, matchId: body.match_id, signal }, async (match) => {
        const phases = await phasesOf(body.phases, radiation.probe);
        const request: RestRequest = { ...measured, phases };
        const rest = await withSignal(threads.run('prepareRest', request), measured.x, measured.wavelength);
        const shared = {
          rest: { x: [...measured.x], y: [...rest.y], name: body.xrd_data.name, background_removed: true },
          explained_share: Number(rest.explainedShare.toFixed(4)),
        };
        if (rest.query === null) return { ...nothingLeft(rest, radiation, match, t), ...shared };
        const without = new Set(phases.map(({ structId }) => structId));
        return { ...(await answer({ match, body, radiation, query: rest.query, without, t })), ...shared };
      });
    },

    async progress(accountId: number, matchId: string, t: Translate): Promise<MatchProgress> {
      const found = await queue.find(accountId, matchId);
      const say = (state: MatchProgress['state'], message: string, position = 0, progress = 0) =>
        ({ error: 'false', message, state, position, progress }) as const;
      if (!found) return say('unknown', t('xrd.not-running'));
      const { state, position, progress } = found;
      if (state === 'waiting')
        return say(
          state,
          position > 0 ? t('xrd.progress.waiting', { position }) : t('xrd.progress.waiting-others'),
          position,
        );
      return say(state, t(`xrd.progress.${state}`, { percent: Math.floor(100 * progress) }), 0, progress);
    },

    cancel: (accountId: number, matchId: string): Promise<boolean> => queue.cancel(accountId, matchId),
  };
}

function nothingLeft(rest: Rest, radiation: Radiation, match: Match, t: Translate): MatchResult {
  return {
    error: 'false',
    message: '',
    results: [],
    crystal_size: Number(rest.crystalliteSizeNm.toFixed(2)),
    radiation: radiation.name,
    wavelength: radiation.wavelength,
    hits: [],
    named: null,
    confidence: 'none',
    statement: t('xrd.nothing-left', { share: Math.floor(100 * rest.explainedShare) }),
    peaks: [],
    warnings: [],
    candidates: 0,
    seconds: 0,
    waited_seconds: seconds(match.waited),
  };
}

// ── One search of the index, divided among the threads ──

/** With fewer candidates a second thread takes more time than it saves. */
const WORTH_A_THREAD = 2_000;
/** Number of candidates per step of the progress (see CHUNK of searchPatterns). */
const STEP = 512;

/** Largest progress until the hits are reported. */
const MOST_PROGRESS = 0.99;

/** The search threads, which share one match. */
export type MatchThreads = ThreadHandle<typeof xrdThread> & Pick<ThreadPool, 'size'>;

export interface IndexSearch {
  readonly index: SharedArrayBuffer;
  readonly query: PatternQuery;
  readonly method: MatchWay;
  readonly top: number;
  readonly maxStrain: number;
  /** Positions of the candidates in ascending order; null: all patterns. */
  readonly candidates: Uint32Array | null;
}

/**
 * The nearest materials, nearest first; independent of the number of threads.
 * @throws AppError xrd.cancelled
 */
export async function searchIndex(
  threads: MatchThreads,
  match: Pick<Match, 'signal' | 'status'>,
  { candidates, ...search }: IndexSearch,
): Promise<SearchHit[]> {
  const size = candidates?.length ?? openPatternIndex(search.index).count;
  const parts = Math.max(1, Math.min(threads.size, Math.floor(size / WORTH_A_THREAD)));
  const bounds = Array.from({ length: parts + 1 }, (_, i) => Math.floor((size * i) / parts));
  const ranges = bounds.slice(1).map((to, i): [number, number] => [bounds[i]!, to]);
  const passes = search.method === 'DTW' ? 2 : 1;
  const steps = ranges.reduce((sum, [from, to]) => sum + passes * Math.ceil((to - from) / STEP), 0);
  const control = newControl();
  match.status = () => ({
    state: 'running',
    progress: steps === 0 ? 0 : Math.min(MOST_PROGRESS, stepsDone(control) / steps),
  });
  match.signal.addEventListener('abort', () => stopSearch(control), { once: true });
  if (match.signal.aborted) stopSearch(control);
  const found = await Promise.all(
    ranges.map(async (range) => {
      const request: SearchRequest = {
        ...search,
        control,
        range,
        ...(candidates ? { candidates } : {}),
      };
      return await threads.run('searchPart', request);
    }),
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
    if (ids.length * 20 < indexed.length) at = firstAtLeast(indexed, id, at);
    else while (at < indexed.length && indexed[at]! < id) at++;
    if (indexed[at] === id) found[count++] = at;
  }
  return found.subarray(0, count);
}

function firstAtLeast(sorted: Uint32Array, value: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
