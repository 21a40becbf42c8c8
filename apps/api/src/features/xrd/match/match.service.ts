/** Matches a measured pattern, or its remainder after known phases, with the whole database. */
import { type EnergyScale, parseStructId } from '@unitcell/contract/common';
import type {
  ExplainedPhase,
  MatchHit,
  MatchProgress,
  matchRequest,
  MatchResult,
  MatchRow,
  RestResult,
  XrdData,
  XrdPeak,
} from '@unitcell/contract/xrd';
import {
  dSpacingOf,
  judge,
  JUDGED_HITS,
  type MatchReport,
  type MeasuredPeak,
  namedCandidate,
  parseElementFilter,
  patternOfLines,
  type PatternQuery,
} from '@unitcell/diffraction';
import { ScienceError } from '@unitcell/errors';
import { roundTo } from '@unitcell/numerics';
import type { z } from 'zod';
import type { Translate } from '../../../messages/messages.ts';
import { AppError } from '../../../messages/app-error.ts';
import { checkedSize } from '../../../domain/powder/powder-patterns.ts';
import { done } from '../../../http/serve-call.ts';
import {
  assertPattern,
  type MatchedMaterial,
  neutronIndex,
  type Radiation,
  readRadiation,
  searchedIndex,
  type XrdRepository,
} from '../patterns.ts';
import { MOST_PROGRESS, type PatternIndexRefresher, searchIndex } from './pattern-index.ts';
import type { Match, MatchQueue } from './match-queue.ts';
import type * as xrdThread from '../xrd.thread.ts';
import type { MeasuredRequest, Rest } from '../xrd.thread.ts';
import type { ThreadHandle, ThreadPool } from '../../../infra/thread-pool.ts';

type AskedMatch = z.output<typeof matchRequest>;

/** Seconds; shorter waits are not mentioned in the answer. */
const NOTABLE_WAIT = 0.5;

export interface RequestOrigin {
  readonly accountId: number;
  readonly t: Translate;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Options {
  readonly threads: ThreadHandle<typeof xrdThread> & Pick<ThreadPool, 'size'>;
  readonly refresher: PatternIndexRefresher;
  readonly repository: XrdRepository;
  /** The scale of the energies above the hull, and the release of the catalogue. */
  readonly scale: () => Promise<EnergyScale>;
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

/** The pattern of the request, or the one drawn from its lines. @throws AppError xrd.lines.either, xrd.lines.unseen */
function patternOf({ xrd_data, lines }: AskedMatch, wavelength: number): XrdData {
  if (xrd_data) return xrd_data;
  const listed = (lines ?? []).map(([d, intensity]) => ({ d, intensity }));
  const drawn = patternOfLines(listed, wavelength);
  if (!drawn) throw new AppError('xrd.lines.unseen', { lines: listed.length, wavelength });
  return { ...drawn, name: 'normlized', background_removed: true };
}

/**
 * Validates everything that needs no search.
 * @throws AppError xrd.lines.*, xrd.data.*, xrd.unknown-source, xrd.bad-wavelength, xrd.bad-size; DiffractionError
 *   bad-filter
 */
function read(body: AskedMatch) {
  if ((body.xrd_data === undefined) === (body.lines === undefined)) throw new AppError('xrd.lines.either');
  const radiation = readRadiation(body.radiation);
  const data = patternOf(body, radiation.wavelength);
  const filter = parseElementFilter(body.elements);
  assertPattern(data);
  const measured: MeasuredRequest = {
    x: data.x,
    y: data.y,
    hasBackground: !data.background_removed,
    wavelength: radiation.wavelength,
    probe: radiation.probe,
    isSlitVariable: body.variable_slit,
    ...(body.crystal_size === undefined ? {} : { crystalliteSizeNm: checkedSize(body.crystal_size) }),
  };
  return { body, name: data.name, radiation, filter, measured };
}

/** A search with the whole pattern, or with what known phases leave of it. */
interface Search {
  readonly request: ReturnType<typeof read>;
  readonly match: Match;
  readonly query: PatternQuery;
  /** The known phases. They are not searched again. */
  readonly without: ReadonlySet<number>;
}

export function matches({ threads, refresher, repository, scale, queue }: Options) {
  async function find({ request, match, query, without }: Search) {
    const { body, filter, measured, radiation } = request;
    match.status = () => {
      const built = refresher.buildProgress();
      return built === null
        ? { state: 'running', progress: 0 }
        : { state: 'indexing', progress: Math.min(MOST_PROGRESS, built) };
    };
    const { index, candidates, count, neutrons } = await searchedIndex(
      { threads, refresher, repository },
      filter,
      radiation.probe,
    );
    // The verdict needs more hits than the user may have requested.
    const top = Math.max(body.top, JUDGED_HITS);
    const hits = await searchIndex(threads, match, {
      index,
      query,
      method: body.match_way,
      top: top + without.size,
      maxStrain: body.max_strain,
      candidates,
    });
    const wanted = hits.filter(({ id }) => !without.has(id)).slice(0, top);
    const materials = new Map(
      (await repository.materials(wanted.map(({ id }) => id))).map((row) => [row.structId, row]),
    );
    // Materials deleted during the search are omitted.
    const present = wanted.flatMap(({ id, distance, strain }) => {
      const material = materials.get(id);
      return material ? [{ ...material, distance, strain }] : [];
    });
    const reports = await threads.run('reportHits', {
      peaks: query.peaks,
      wavelength: query.wavelength,
      probe: radiation.probe,
      range: [measured.x[0]!, measured.x.at(-1)!],
      hits: present.map(({ structId, pattern, strain }) => ({
        pattern: neutrons?.get(structId) ?? pattern,
        strain,
      })),
    });
    return { found: present.map((hit, i): Matched => ({ ...hit, ...reports[i]! })), count };
  }

  async function answer(search: Search, t: Translate): Promise<MatchResult> {
    const begun = performance.now();
    const { found, count } = await find(search);
    const { request, match, query } = search;
    const { body, radiation, filter, measured } = request;
    const areElementsKnown = filter !== undefined && !filter.others;
    const waited = seconds(match.waited);
    return {
      ...done,
      results: found.slice(0, body.top).map(toRow),
      ...(await scale()),
      crystal_size: Number(query.crystalliteSizeNm.toFixed(2)),
      radiation: radiation.name,
      wavelength: radiation.wavelength,
      hits: toHits(found, body.top, query.peaks, radiation.wavelength, areElementsKnown),
      ...verdictOf(found, t, areElementsKnown),
      peaks: toPeaks(query.peaks, query.peaks, radiation.wavelength),
      warnings: [
        ...(measured.hasBackground ? [t('xrd.note.background')] : []),
        ...(waited >= NOTABLE_WAIT ? [t('xrd.note.waited', { seconds: waited.toFixed(1) })] : []),
      ],
      candidates: count,
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
    async match(body: AskedMatch, { accountId, t, signal }: RequestOrigin): Promise<MatchResult> {
      const request = read(body);
      const { x, wavelength } = request.measured;
      return queue.run({ accountId, matchId: body.match_id, signal }, async (match) => {
        const query = await withSignal(threads.run('prepareMatch', request.measured), x, wavelength);
        return answer({ request, match, query, without: new Set() }, t);
      });
    },

    /** @throws AppError the errors of `match`; xrd.no-pattern */
    async explain(
      body: AskedMatch & { readonly phases: readonly ExplainedPhase[] },
      { accountId, t, signal }: RequestOrigin,
    ): Promise<RestResult> {
      const request = read(body);
      const { measured, radiation, name } = request;
      const { x, wavelength } = measured;
      return queue.run({ accountId, matchId: body.match_id, signal }, async (match) => {
        const phases = await phasesOf(body.phases, radiation.probe);
        const rest = await withSignal(threads.run('prepareRest', { ...measured, phases }), x, wavelength);
        const { query } = rest;
        const without = new Set(phases.map(({ structId }) => structId));
        const result =
          query === null
            ? nothingLeft(rest, radiation, match, t)
            : await answer({ request, match, query, without }, t);
        return {
          ...result,
          rest: { x: [...x], y: [...rest.y], name, background_removed: true },
          explained_share: Number(rest.explainedShare.toFixed(4)),
        };
      });
    },

    async progress(accountId: number, matchId: string, t: Translate): Promise<MatchProgress> {
      const found = await queue.find(accountId, matchId);
      const say = (state: MatchProgress['state'], message: string, position = 0, progress = 0) =>
        ({ ...done, message, state, position, progress }) as const;
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

    cancel: queue.cancel,
  };
}

const nothingLeft = (rest: Rest, radiation: Radiation, match: Match, t: Translate): MatchResult => ({
  ...done,
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
});

// ── Hits in the form of the contract ──

/** Number of unexplained peaks listed per hit, strongest first. */
const MAX_UNEXPLAINED = 50;

/** Measured peaks. The largest area and the largest height are each scaled to 100. */
export function toPeaks(
  peaks: readonly MeasuredPeak[],
  all: readonly MeasuredPeak[],
  wavelength: number,
): XrdPeak[] {
  const largest = all.reduce((best, peak) => Math.max(best, peak.area), Number.MIN_VALUE);
  const highest = all.reduce((best, peak) => Math.max(best, peak.height), Number.MIN_VALUE);
  return peaks.map(({ twoThetaDeg, area, height, widthDeg }) => ({
    two_theta: roundTo(twoThetaDeg, 3),
    d: roundTo(dSpacingOf(twoThetaDeg, wavelength), 4),
    intensity: roundTo((100 * area) / largest, 1),
    height: roundTo((100 * height) / highest, 1),
    fwhm: roundTo(widthDeg, 3),
  }));
}

/** A hit with its scores. */
export type Matched = Omit<MatchedMaterial, 'pattern'> &
  MatchReport & { readonly distance: number; readonly strain: number };

const toRow = ({ distance, structId, formula, spaceGroup, nSites, energyAboveHull }: Matched): MatchRow => [
  roundTo(distance, 6),
  structId,
  formula,
  spaceGroup,
  nSites,
  energyAboveHull,
];

/** Number of rivals named in a statement. */
const NAMED_RIVALS = 4;

/**
 * Details of the first `top` hits. Each is compared with the nearest hits, so that it does not matter how many the
 * user requested.
 * @param areElementsKnown whether the search was limited to exactly the named elements
 */
export function toHits(
  found: readonly Matched[],
  top: number,
  all: readonly MeasuredPeak[],
  wavelength: number,
  areElementsKnown = false,
): MatchHit[] {
  const nearest = found.slice(0, JUDGED_HITS);
  return found.slice(0, top).map((hit, i) => {
    const judged = i < nearest.length ? nearest : [...nearest, hit];
    const { confidence, rivals } = judge(judged, Math.min(i, nearest.length), areElementsKnown);
    return {
      struct_id: hit.structId,
      strain: roundTo(hit.strain, 5),
      explained_share: roundTo(hit.explained, 4),
      confirmed_share: roundTo(hit.confirmed, 4),
      confidence,
      unexplained_peaks: toPeaks(hit.unexplainedPeaks.slice(0, MAX_UNEXPLAINED), all, wavelength),
      rivals: rivals.map((rival) => judged[rival]!.structId),
    };
  });
}

/** The best material among the nearest hits, and the confidence in it. */
export function verdictOf(
  found: readonly Matched[],
  t: Translate,
  areElementsKnown = false,
): Pick<MatchResult, 'named' | 'confidence' | 'statement'> {
  const nearest = found.slice(0, JUDGED_HITS);
  const at = namedCandidate(nearest);
  const named = at === undefined ? undefined : nearest[at];
  if (at === undefined || !named)
    return { named: null, confidence: 'none', statement: t('xrd.no-candidates') };
  const { structId, formula, spaceGroup, explained, unexplainedPeaks } = named;
  const { confidence, rivals } = judge(nearest, at, areElementsKnown);
  const share = Math.floor(100 * explained);
  const parameters = { formula, spaceGroup, id: structId, share, count: unexplainedPeaks.length };
  const say = (statement: string) => ({ named: structId, confidence, statement });
  if (confidence === 'none') return say(t('xrd.no-confident-match', parameters));
  if (rivals.length === 0)
    return say(t(confidence === 'confident' ? 'xrd.confident' : 'xrd.possible', parameters));
  const alike = [named, ...rivals.map((i) => nearest[i]!)];
  const names = new Set(alike.map((one) => `${one.formula} (${one.spaceGroup})`));
  return say(
    t(alike.every((one) => one.formula === formula) ? 'xrd.polymorphs' : 'xrd.ambiguous', {
      names: [...names].slice(0, NAMED_RIVALS + 1).join(', '),
      share,
    }),
  );
}
