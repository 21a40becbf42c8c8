/** The slow steps of a match. They are pure and run in worker threads. */
import { MAX_MATCH_STRAIN } from '@unitcell/contract/xrd';
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import {
  buildPatternIndex,
  DiffractionError,
  dSpacingOf,
  explainedBy,
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
  packedPatternOf,
  type PatternEntry,
  type PatternQuery,
  preparePatternQuery,
  type Probe,
  removeBackground,
  strainedLines,
  type MeasuredPeak,
  type SearchHit,
  searchPatterns,
  unpackPattern,
} from '@unitcell/diffraction';

export interface Pattern {
  /** 2θ in degrees, strictly rising. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface MeasuredRequest extends Pattern {
  readonly hasBackground: boolean;
  /** Å */
  readonly wavelength: number;
  /** Default X-rays. */
  readonly probe?: Probe | undefined;
  /** Default: a fixed slit. */
  readonly isSlitVariable?: boolean;
  /** nm; estimated when absent. */
  readonly crystalliteSizeNm?: number;
}

const aboveBackground = ({ x, y, hasBackground }: MeasuredRequest): ArrayLike<number> =>
  hasBackground ? removeBackground(x, y) : y.map((value) => Math.max(0, value));

const optionsOf = ({ wavelength, probe, isSlitVariable, crystalliteSizeNm }: MeasuredRequest) => ({
  wavelength,
  probe,
  isSlitVariable,
  ...(crystalliteSizeNm === undefined ? {} : { crystalliteSizeNm }),
});

export const prepareMatch = (request: MeasuredRequest): PatternQuery =>
  preparePatternQuery(request.x, aboveBackground(request), optionsOf(request));

export interface RestRequest extends MeasuredRequest {
  readonly phases: readonly { readonly pattern: Uint8Array; readonly strain: number }[];
}

export interface Rest {
  readonly y: readonly number[];
  /** Share of the measured intensity that the lines of all phases explain, 0 to 1. */
  readonly explainedShare: number;
  readonly crystalliteSizeNm: number;
  /** null when nothing worth matching is left. */
  readonly query: PatternQuery | null;
}

/**
 * The remaining peaks. Noise is removed: peaks weaker than any significant measured peak, and peaks at angles
 * without a measured peak.
 */
function peaksLeft(
  x: readonly number[],
  rest: ArrayLike<number>,
  measured: readonly MeasuredPeak[],
  wavelength: number | undefined,
): MeasuredPeak[] {
  const weakest = MIN_PEAK_SHARE * measured.reduce((best, peak) => Math.max(best, peak.height), 0);
  return findPeaks(x, rest, wavelength).filter(
    ({ height, twoThetaDeg }) =>
      height >= weakest &&
      measured.some(
        (peak) => Math.abs(peak.twoThetaDeg - twoThetaDeg) <= Math.max(MIN_PEAK_TOLERANCE_DEG, peak.widthDeg),
      ),
  );
}

/** Above this share of explained intensity the remainder is texture and noise, not another phase. */
const NOTHING_LEFT_SHARE = 0.99;

/** Removes the phases one after another. */
export function prepareRest(request: RestRequest): Rest {
  const { x, wavelength, probe, phases } = request;
  const y = aboveBackground(request);
  const whole = preparePatternQuery(x, y, optionsOf(request));
  const { crystalliteSizeNm } = whole;
  let rest = y;
  for (const { pattern, strain } of phases)
    rest = explainTheRest(x, rest, unpackPattern(pattern), { wavelength, probe, strain, crystalliteSizeNm });
  const peaks = peaksLeft(x, rest, whole.peaks, probe === 'neutron' ? undefined : wavelength);
  const range = [x[0]!, x.at(-1)!] as const;
  const { share: explainedShare } = explainedBy(
    tellable(whole),
    phases.map(({ pattern, strain }) =>
      strainedLines(unpackPattern(pattern), { wavelength, probe, strain, range }),
    ),
  );
  const isOver = peaks.length === 0 || explainedShare >= NOTHING_LEFT_SHARE;
  // The remainder has too many zeros to estimate its noise; the noise of the whole pattern is used.
  const cut = NOISE_CUT * noiseLevel(y);
  const aboveNoise = Array.from(rest, (value) => Math.max(0, value - cut));
  return {
    y: Array.from(rest, (value) => Number(value.toPrecision(7))),
    explainedShare,
    crystalliteSizeNm,
    query: isOver
      ? null
      : { ...preparePatternQuery(x, aboveNoise, { ...optionsOf(request), crystalliteSizeNm }), peaks },
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

export function newControl(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(16);
  openControl(buffer).bound[0] = Number.POSITIVE_INFINITY;
  return buffer;
}

export const stopSearch = (control: SharedArrayBuffer): void =>
  void Atomics.store(openControl(control).flags, STOP, 1);

/** Steps counted so far. */
export const stepsDone = (control: SharedArrayBuffer): number =>
  Atomics.load(openControl(control).flags, STEPS);

export interface SearchRequest {
  /** The index. */
  readonly index: SharedArrayBuffer;
  readonly control: SharedArrayBuffer;
  readonly query: PatternQuery;
  readonly method: MatchMethod;
  readonly top: number;
  readonly maxStrain: number;
  /** Positions in the index in ascending order; absent: all. */
  readonly candidates?: Uint32Array;
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

export interface ReportRequest {
  readonly peaks: readonly MeasuredPeak[];
  /** Å */
  readonly wavelength: number;
  /** Default X-rays. */
  readonly probe?: Probe | undefined;
  /** Measured angles, degrees. */
  readonly range: readonly [number, number];
  readonly hits: readonly { readonly pattern: Uint8Array; readonly strain: number }[];
}

/** Peaks within the range of spacings that stored patterns cover. Other peaks cannot be compared. */
const tellable = ({ peaks, wavelength }: Pick<ReportRequest, 'peaks' | 'wavelength'>): MeasuredPeak[] =>
  peaks.filter(({ twoThetaDeg }) => {
    const d = dSpacingOf(twoThetaDeg, wavelength);
    return d > PACKED_SPACING_RANGE.min * (1 + MAX_MATCH_STRAIN) && d < PACKED_SPACING_RANGE.max;
  });

export function reportHits(request: ReportRequest): MatchReport[] {
  const { wavelength, probe, range } = request;
  const peaks = tellable(request);
  return request.hits.map(({ pattern, strain }) =>
    matchReport(peaks, unpackPattern(pattern), { wavelength, probe, strain, range }),
  );
}
