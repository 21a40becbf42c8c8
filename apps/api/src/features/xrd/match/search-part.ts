/**
 * The slow steps of a match, which are pure and run in worker threads, and the division of one search among the
 * threads.
 */
import { MAX_MATCH_STRAIN } from '@unitcell/contract/xrd';
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import {
  BOUND_CHUNK,
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
import type { Match } from './match-queue.ts';

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

interface RestRequest extends MeasuredRequest {
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

interface ReportRequest {
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
