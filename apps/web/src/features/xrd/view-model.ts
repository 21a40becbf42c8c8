/** Answers of the matcher as the page shows them. */
import type {
  MatchResult,
  ReferencePattern,
  RestResult,
  XrdConfidence,
  XrdData,
  XrdPeak,
} from '@unitcell/contract/xrd';
import { MATCH_ROW_FIELDS } from '@unitcell/contract/xrd/rules';
import { background } from '@unitcell/diffraction';
import { formulaText } from '../../components/formula.tsx';
import type { SentRequest } from '../../lib/api-client.ts';
import { namedRow } from '../../lib/rows.ts';
import type { MatchFigure } from '../../viz/xrd-match-plot/match-figure.ts';
import { overlayOf } from '../../viz/xrd-match-plot/overlay.ts';
import { reflectionsOf } from '../../viz/xrd-plot/reflections.ts';

export interface Hit {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly nsites: number;
  /** eV/atom; null when it is not known. */
  readonly eHull: number | null;
  readonly distance: number;
  /** Relative change of the reference's cell that fits best. */
  readonly strain: number;
  /** Share of the measured intensity that this material explains, 0 to 1. */
  readonly explained: number;
  /** Share of its own intensity that measured peaks confirm, 0 to 1. */
  readonly confirmed: number;
  readonly confidence: XrdConfidence;
  /** Strongest first. */
  readonly unexplained: readonly XrdPeak[];
  /** Ids of other phases that fit about as well. */
  readonly rivals: readonly number[];
}

/** A phase that was taken away before the rest was matched. */
export interface Phase {
  readonly hit: Hit;
  readonly reference: ReferencePattern;
}

/** One match: of the whole pattern, or of what phases left of it. */
export interface Round {
  readonly result: MatchResult;
  readonly hits: readonly Hit[];
  /** Taken away before, oldest first. */
  readonly phases: readonly Phase[];
  /** What was matched, where phases were taken away. */
  readonly rest: XrdData | null;
  /** Share of the measured intensity that the phases explain together, 0 to 1. */
  readonly explainedShare: number | null;
  /** What was asked; null where nothing was. */
  readonly sent: SentRequest | null;
}

/** Result rows with what is known of them beyond their positions. */
export function hitsOf({ results, hits }: Pick<MatchResult, 'results' | 'hits'>): Hit[] {
  return results.map((row, index) => {
    const { distance, struct_id, formula, space_group, nsites, ehull } = namedRow(MATCH_ROW_FIELDS, row);
    const hit = hits[index];
    return {
      distance,
      structId: struct_id,
      formula,
      spaceGroup: space_group,
      nsites,
      eHull: ehull,
      strain: hit?.strain ?? 0,
      explained: hit?.explained_share ?? 0,
      confirmed: hit?.confirmed_share ?? 0,
      confidence: hit?.confidence ?? 'none',
      unexplained: hit?.unexplained_peaks ?? [],
      rivals: hit?.rivals ?? [],
    };
  });
}

export const roundOf = (
  result: MatchResult | RestResult,
  phases: readonly Phase[],
  sent: SentRequest | null = null,
): Round => ({
  sent,
  result,
  hits: hitsOf(result),
  phases,
  rest: 'rest' in result ? result.rest : null,
  explainedShare: 'explained_share' in result ? result.explained_share : null,
});

/** The hit that the verdict names; the nearest where it is not among the rows. */
export const namedHit = ({ hits, result }: Round): Hit | null =>
  hits.find(({ structId }) => structId === result.named) ?? hits[0] ?? null;

/** Share of the measured intensity from which a pattern that does not fit may be one of several phases. */
const WORTH_SHOWING_SHARE = 0.3;

/** A hit worth laying over the measurement without being asked. */
export function firstWorthShowing(round: Round): Hit | null {
  const named = namedHit(round);
  return named && (named.confidence !== 'none' || named.explained >= WORTH_SHOWING_SHARE) ? named : null;
}

/** % of the strongest peak: below this a bump of the background or of the noise is taken for a peak now and then. */
export const CLEAR_PEAK = 2;

/** What a hit leaves unexplained that is clearly a peak. The table of peaks has the weaker ones too. */
export const clearlyUnexplained = ({ unexplained }: Pick<Hit, 'unexplained'>): readonly XrdPeak[] =>
  unexplained.filter(({ intensity }) => intensity >= CLEAR_PEAK);

/** Hits that fit about as well as this one, by the server's rule. */
export const rivalsOf = ({ hits }: Round, { rivals }: Hit): Hit[] =>
  hits.filter(({ structId }) => rivals.includes(structId));

/** Last angle a reference is needed for. */
export const lastAngle = (data: XrdData): number =>
  Math.min(179, Math.max(1, Math.ceil(data.x.at(-1) ?? 90)));

/** Name in the chart and in files; ids tell polymorphs apart. */
export const phaseName = (formula: string, structId: number): string =>
  `${formulaText(formula)} (${structId})`;

const ticksOf = (reference: ReferencePattern, from: number, to: number) => ({
  name: phaseName(reference.formula, reference.struct_id),
  reflections: reflectionsOf(reference).filter(({ twoThetaDeg }) => twoThetaDeg >= from && twoThetaDeg <= to),
});

/** What the chart shows besides its range. */
export type PictureContent = Omit<MatchFigure, 'range' | 'isNarrow'>;

interface PictureParts {
  readonly data: XrdData;
  readonly before: XrdData | null;
  readonly round: Round | null;
  /** The hit laid over the measurement, and its pattern once it is here. */
  readonly hit: Hit | null;
  readonly reference: ReferencePattern | null;
}

export function pictureOf({ data, before, round, hit, reference }: PictureParts): PictureContent {
  const measured = round?.rest ?? data;
  const [from, to] = [measured.x[0] ?? 0, measured.x.at(-1) ?? 180];
  const baseline = measured.background_removed || !reference ? [] : background(measured.x, measured.y);
  return {
    measured,
    before: round?.rest ? data : before,
    isRest: Boolean(round?.rest),
    reference: reference && {
      ...ticksOf(reference, from, to),
      overlay: overlayOf(measured, reference, baseline),
    },
    explained: (round?.phases ?? []).map((phase) => ticksOf(phase.reference, from, to)),
    unexplained: reference && hit ? clearlyUnexplained(hit).map(({ two_theta }) => two_theta) : [],
  };
}

export interface PeakRow extends XrdPeak {
  /** By the chosen hit; null when none is chosen. */
  readonly isExplained: boolean | null;
}

/** The measured peaks, each with whether the hit explains it. */
export function peakRows(peaks: readonly XrdPeak[], hit: Hit | null): PeakRow[] {
  const open = new Set(hit?.unexplained.map(({ two_theta }) => two_theta));
  return peaks.map((peak) => ({ ...peak, isExplained: hit ? !open.has(peak.two_theta) : null }));
}
