/** The steps of a match that take time. Pure; run in worker threads. */
import { MAX_MATCH_STRAIN } from '@unitcell/contract';
import {
  dSpacingOf,
  explainTheRest,
  findPeaks,
  type MatchMethod,
  type MatchReport,
  matchReport,
  MIN_PEAK_SHARE,
  MIN_PEAK_TOLERANCE_DEG,
  NOISE_CUT,
  noiseLevel,
  PACKED_SPACING_RANGE,
  openPatternIndex,
  type PatternQuery,
  preparePatternQuery,
  removeBackground,
  type MeasuredPeak,
  type SearchHit,
  searchPatterns,
  unpackPattern,
} from '@unitcell/diffraction';
import { countStep, openControl } from './match-control.ts';
import type { Pattern } from '../measured-pattern.ts';

export interface MeasuredRequest extends Pattern {
  readonly hasBackground: boolean;
  /** Å */
  readonly wavelength: number;
  /** nm; estimated when absent. */
  readonly crystalliteSizeNm?: number;
}

const aboveBackground = ({ x, y, hasBackground }: MeasuredRequest): ArrayLike<number> =>
  hasBackground ? removeBackground(x, y) : y.map((value) => Math.max(0, value));

const optionsOf = ({ wavelength, crystalliteSizeNm }: MeasuredRequest) => ({
  wavelength,
  ...(crystalliteSizeNm === undefined ? {} : { crystalliteSizeNm }),
});

export const prepareMatch = (request: MeasuredRequest): PatternQuery =>
  preparePatternQuery(request.x, aboveBackground(request), optionsOf(request));

export interface RestRequest extends MeasuredRequest {
  readonly phases: readonly { readonly pattern: Uint8Array; readonly strain: number }[];
}

export interface Rest {
  readonly y: readonly number[];
  /** Share of the measured peak area that is gone, 0 to 1. */
  readonly explainedShare: number;
  readonly crystalliteSizeNm: number;
  /** null when nothing worth matching is left. */
  readonly query: PatternQuery | null;
}

const areaOf = (peaks: readonly MeasuredPeak[]): number => peaks.reduce((sum, peak) => sum + peak.area, 0);

/** What is left of measured peaks: weaker than any peak that counts, or where no peak was, it is noise. */
function peaksLeft(
  x: readonly number[],
  rest: ArrayLike<number>,
  measured: readonly MeasuredPeak[],
): MeasuredPeak[] {
  const weakest = MIN_PEAK_SHARE * measured.reduce((best, peak) => Math.max(best, peak.height), 0);
  return findPeaks(x, rest).filter(
    ({ height, twoThetaDeg }) =>
      height >= weakest &&
      measured.some(
        (peak) => Math.abs(peak.twoThetaDeg - twoThetaDeg) <= Math.max(MIN_PEAK_TOLERANCE_DEG, peak.widthDeg),
      ),
  );
}

/** From this share of explained peak area on, what is left is what texture and noise leave, not another phase. */
const NOTHING_LEFT_SHARE = 0.99;

/** Takes the phases away one after the other. */
export function prepareRest(request: RestRequest): Rest {
  const { x, wavelength, phases } = request;
  const y = aboveBackground(request);
  const whole = preparePatternQuery(x, y, optionsOf(request));
  const { crystalliteSizeNm } = whole;
  let rest = y;
  for (const { pattern, strain } of phases)
    rest = explainTheRest(x, rest, unpackPattern(pattern), { wavelength, strain, crystalliteSizeNm });
  const peaks = peaksLeft(x, rest, whole.peaks);
  const before = areaOf(whole.peaks);
  const explainedShare = before > 0 ? Math.min(1, Math.max(0, 1 - areaOf(peaks) / before)) : 0;
  const isOver = peaks.length === 0 || explainedShare >= NOTHING_LEFT_SHARE;
  // The rest is zero in so many places that its own noise cannot be told: the whole pattern's is cut off.
  const cut = NOISE_CUT * noiseLevel(y);
  const aboveNoise = Array.from(rest, (value) => Math.max(0, value - cut));
  return {
    y: Array.from(rest, (value) => Number(value.toPrecision(7))),
    explainedShare,
    crystalliteSizeNm,
    query: isOver
      ? null
      : { ...preparePatternQuery(x, aboveNoise, { wavelength, crystalliteSizeNm }), peaks },
  };
}

export interface SearchRequest {
  /** The index. */
  readonly index: SharedArrayBuffer;
  readonly control: SharedArrayBuffer;
  readonly query: PatternQuery;
  readonly method: MatchMethod;
  readonly top: number;
  readonly maxStrain: number;
  /** Positions in the index, rising; all when absent. */
  readonly candidates?: Uint32Array;
  readonly range: readonly [number, number];
}

export function searchPart({ index, control, query, ...options }: SearchRequest): SearchHit[] {
  const shared = openControl(control);
  return searchPatterns(openPatternIndex(index), query, {
    ...options,
    shouldStop: () => countStep(shared),
    knownBound: () => shared.bound[0]!,
    onBound: (distance) => {
      if (distance < shared.bound[0]!) shared.bound[0] = distance;
    },
  });
}

export interface ReportRequest {
  readonly peaks: readonly MeasuredPeak[];
  /** Å */
  readonly wavelength: number;
  readonly hits: readonly {
    readonly pattern: Uint8Array;
    readonly strain: number;
    readonly distance: number;
  }[];
}

export type HitReport = Omit<MatchReport, 'lines'>;

/** Peaks whose spacings stored patterns hold; of the others no reference can tell. */
const tellable = ({ peaks, wavelength }: ReportRequest): MeasuredPeak[] =>
  peaks.filter(({ twoThetaDeg }) => {
    const d = dSpacingOf(twoThetaDeg, wavelength);
    return d > PACKED_SPACING_RANGE.min * (1 + MAX_MATCH_STRAIN) && d < PACKED_SPACING_RANGE.max;
  });

export function reportHits(request: ReportRequest): HitReport[] {
  const { wavelength } = request;
  const peaks = tellable(request);
  return request.hits.map(({ pattern, strain, distance }) => {
    const { lines: _lines, ...report } = matchReport(peaks, unpackPattern(pattern), {
      wavelength,
      strain,
      distance,
    });
    return report;
  });
}
