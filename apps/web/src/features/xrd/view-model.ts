/** Answers of the matcher, prepared for the page. */
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
  /** eV/atom; null if unknown. */
  readonly eHull: number | null;
  readonly distance: number;
  /** Relative change of the reference cell with the best fit. */
  readonly strain: number;
  /** Share of the measured intensity that this material explains, 0 to 1. */
  readonly explained: number;
  /** Share of its own intensity confirmed by measured peaks, 0 to 1. */
  readonly confirmed: number;
  readonly confidence: XrdConfidence;
  /** Strongest first. */
  readonly unexplained: readonly XrdPeak[];
  /** Ids of other phases with a similar fit. */
  readonly rivals: readonly number[];
}

/** A phase that was removed before matching the rest. */
export interface Phase {
  readonly hit: Hit;
  readonly reference: ReferencePattern;
}

/** One match, of the whole pattern or of the rest. */
export interface Round {
  readonly result: MatchResult;
  readonly hits: readonly Hit[];
  /** Phases removed before, oldest first. */
  readonly phases: readonly Phase[];
  /** The pattern that was matched, if phases were removed. */
  readonly rest: XrdData | null;
  /** Share of the measured intensity explained by all phases together, 0 to 1. */
  readonly explainedShare: number | null;
  /** The request; null if none was sent. */
  readonly sent: SentRequest | null;
}

/** Result rows with their named details. */
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

/** The hit of the verdict, or the first one if it is not among the rows. */
export const namedHit = ({ hits, result }: Round): Hit | null =>
  hits.find(({ structId }) => structId === result.named) ?? hits[0] ?? null;

/** A poor match that explains this share of the intensity may be one of several phases. */
const WORTH_SHOWING_SHARE = 0.3;

/** The hit to show over the measurement without a click, if any is good enough. */
export function firstWorthShowing(round: Round): Hit | null {
  const named = namedHit(round);
  return named && (named.confidence !== 'none' || named.explained >= WORTH_SHOWING_SHARE) ? named : null;
}

/** % of the strongest peak; weaker peaks may be background or noise. */
export const CLEAR_PEAK = 2;

/** Clear peaks that a hit does not explain. The table of peaks includes weaker ones. */
export const clearlyUnexplained = ({ unexplained }: Pick<Hit, 'unexplained'>): readonly XrdPeak[] =>
  unexplained.filter(({ intensity }) => intensity >= CLEAR_PEAK);

/** Hits with a similar fit, by the server's rule. */
export const rivalsOf = ({ hits }: Round, { rivals }: Hit): Hit[] =>
  hits.filter(({ structId }) => rivals.includes(structId));

/** Largest angle needed for a reference. */
export const lastAngle = (data: XrdData): number =>
  Math.min(179, Math.max(1, Math.ceil(data.x.at(-1) ?? 90)));

/** Name in the chart and in files; ids distinguish polymorphs. */
export const phaseName = (formula: string, structId: number): string =>
  `${formulaText(formula)} (${structId})`;

const ticksOf = (reference: ReferencePattern, from: number, to: number) => ({
  name: phaseName(reference.formula, reference.struct_id),
  reflections: reflectionsOf(reference).filter(({ twoThetaDeg }) => twoThetaDeg >= from && twoThetaDeg <= to),
});

/** Content of the chart, without the range. */
export type PictureContent = Omit<MatchFigure, 'range' | 'isNarrow'>;

interface PictureParts {
  readonly data: XrdData;
  readonly before: XrdData | null;
  readonly round: Round | null;
  /** The hit over the measurement, with its pattern once loaded. */
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
  /** True if the selected hit explains the peak; null if none is selected. */
  readonly isExplained: boolean | null;
}

/** The measured peaks, each with whether the hit explains it. */
export function peakRows(peaks: readonly XrdPeak[], hit: Hit | null): PeakRow[] {
  const open = new Set(hit?.unexplained.map(({ two_theta }) => two_theta));
  return peaks.map((peak) => ({ ...peak, isExplained: hit ? !open.has(peak.two_theta) : null }));
}
