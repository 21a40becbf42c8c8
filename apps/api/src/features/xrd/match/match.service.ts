/** Matches a measured pattern, or its remainder after known phases, with the whole database. */
import { parseStructId } from '@unitcell/contract/common';
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
  type MatchCandidate,
  type MatchReport,
  type MeasuredPeak,
  namedCandidate,
  openPatternIndex,
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
import {
  assertPattern,
  type MatchedMaterial,
  neutronIndex,
  type Radiation,
  readRadiation,
  type XrdRepository,
} from '../patterns.ts';
import type { PatternIndexRefresher } from './pattern-index.ts';
import type { Match, MatchQueue } from './match-queue.ts';
import {
  type MeasuredRequest,
  MOST_PROGRESS,
  positionsOf,
  type ReportRequest,
  type Rest,
  type RestRequest,
  searchIndex,
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
  readonly threads: ThreadHandle<typeof xrdThread> & Pick<ThreadPool, 'size'>;
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
    parseElementFilter(body.elements);
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
    const filter = parseElementFilter(body.elements);
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

export interface Matched {
  readonly material: MatchedMaterial;
  readonly distance: number;
  readonly strain: number;
  readonly report: MatchReport;
}

const toRow = ({ material, distance }: Matched): MatchRow => [
  roundTo(distance, 6),
  material.structId,
  material.formula,
  material.spaceGroup,
  material.nSites,
  material.energyAboveHull,
];

/** Number of rivals named in a statement. */
const NAMED_RIVALS = 4;

const candidatesOf = (found: readonly Matched[]): MatchCandidate[] =>
  found.map(({ material: { formula, spaceGroup }, distance, report: { explained, confirmed } }) => ({
    formula,
    spaceGroup,
    distance,
    explained,
    confirmed,
  }));

/**
 * Details of the first `top` hits. Each is compared with all hits.
 * @param areElementsKnown whether the search was limited to exactly the named elements
 */
export function toHits(
  found: readonly Matched[],
  top: number,
  all: readonly MeasuredPeak[],
  wavelength: number,
  areElementsKnown = false,
): MatchHit[] {
  const candidates = candidatesOf(found);
  return found.slice(0, top).map(({ material, strain, report }, i) => {
    const { confidence, rivals } = judge(candidates, i, areElementsKnown);
    return {
      struct_id: material.structId,
      strain: roundTo(strain, 5),
      explained_share: roundTo(report.explained, 4),
      confirmed_share: roundTo(report.confirmed, 4),
      confidence,
      unexplained_peaks: toPeaks(report.unexplainedPeaks.slice(0, MAX_UNEXPLAINED), all, wavelength),
      rivals: rivals.map((rival) => found[rival]!.material.structId),
    };
  });
}

/** The best material among all hits, and the confidence in it. */
export function verdictOf(
  found: readonly Matched[],
  t: Translate,
  areElementsKnown = false,
): Pick<MatchResult, 'named' | 'confidence' | 'statement'> {
  const candidates = candidatesOf(found);
  const at = namedCandidate(candidates);
  const named = at === undefined ? undefined : found[at];
  if (at === undefined || !named)
    return { named: null, confidence: 'none', statement: t('xrd.no-candidates') };
  const { material, report } = named;
  const { confidence, rivals } = judge(candidates, at, areElementsKnown);
  const share = Math.floor(100 * report.explained);
  const parameters = {
    formula: material.formula,
    spaceGroup: material.spaceGroup,
    id: material.structId,
    share,
    count: report.unexplainedPeaks.length,
  };
  const say = (statement: string) => ({ named: material.structId, confidence, statement });
  if (confidence === 'none') return say(t('xrd.no-confident-match', parameters));
  if (rivals.length === 0)
    return say(t(confidence === 'confident' ? 'xrd.confident' : 'xrd.possible', parameters));
  const rivalNames = rivals.map((i) => found[i]!.material);
  const isOneFormula = rivalNames.every(({ formula }) => formula === material.formula);
  const names = [...new Set([material, ...rivalNames].map((one) => `${one.formula} (${one.spaceGroup})`))];
  return say(
    t(isOneFormula ? 'xrd.polymorphs' : 'xrd.ambiguous', {
      names: names.slice(0, NAMED_RIVALS + 1).join(', '),
      share,
    }),
  );
}
