/**
 * Worker thread: the slow steps on measured powder patterns, all pure. Patterns are read, prepared for a
 * match, compared with its hits, and their phases identified.
 */
import { MAX_MATCH_STRAIN, MAX_PATTERN_POINTS } from '@unitcell/contract/xrd';
import {
  ARCHIVE_MEMBERS,
  background,
  dSpacingOf,
  explainedBy,
  explainTheRest,
  findPeaks,
  type MatchReport,
  matchReport,
  type MeasuredPeak,
  type MeasurementRecord,
  MIN_PEAK_SHARE,
  MIN_PEAK_TOLERANCE_DEG,
  NOISE_CUT,
  noiseLevel,
  PACKED_SPACING_RANGE,
  type PatternQuery,
  preparePatternQuery,
  type Probe,
  readMeasuredPattern,
  removeBackground,
  strainedLines,
  unpackPattern,
  type FittedMixture,
  type FoundPhase,
  type IdentificationRequest,
  openPatternIndex,
  type PhaseCandidate,
  type ProposalRequest,
  type Proposals,
  proposePhases,
  refineMixture,
  type ReviewedMixture,
  reviewMixture,
  type RoundResult,
  weighCandidates,
} from '@unitcell/diffraction';
import type { Note } from '../../messages/messages.ts';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { anonymousFormula, type CompactCell, compositionOf } from '@unitcell/crystal';
import { hooksOf, preparedPhase, type Refined } from './refine/refine-pattern.ts';

export { neutronPatterns, refreshIndex, searchPart, sharedIndex } from './match/pattern-index.ts';
export { refinePattern } from './refine/refine-pattern.ts';

export interface Pattern {
  /** 2θ in degrees, strictly rising. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface ReadPattern extends Pattern {
  /** Standard deviations of the intensities; absent if they are unknown or those of plain counts. */
  readonly sigmas?: readonly number[];
  readonly notes: readonly Note[];
  readonly record: MeasurementRecord | undefined;
}

/** Number of scans named in the note on unused scans. */
const SHOWN_SCANS = 5;

/** Digits of an intensity, more than any counter has. */
const DIGITS = 7;
const SIGMA_DIGITS = 5;
const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** Averages groups of neighbouring points, to stay within the allowed number of points. */
function thinned(values: Float64Array, group: number): number[] {
  return Array.from({ length: Math.ceil(values.length / group) }, (_, i) => {
    const part = values.subarray(i * group, (i + 1) * group);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

/** Standard deviations of the averages of groups. */
function thinnedSigmas(sigmas: Float64Array, group: number): number[] {
  return Array.from({ length: Math.ceil(sigmas.length / group) }, (_, i) => {
    const part = sigmas.subarray(i * group, (i + 1) * group);
    return Number((Math.hypot(...part) / part.length).toPrecision(SIGMA_DIGITS));
  });
}

/** Reads the pattern in a file and averages it if it has too many points. */
export const receivePattern = async (bytes: Uint8Array): Promise<ReadPattern> =>
  patternIn(bytes, await archiveMembers(bytes));

export function patternIn(
  bytes: Uint8Array,
  members: ReadonlyMap<string, Uint8Array> = new Map(),
): ReadPattern {
  const read = readMeasuredPattern(bytes, members);
  const { record } = read;
  const notes: Note[] = [];
  if (record && record.otherScans.length > 0)
    notes.push([
      'xrd.note.other-scans',
      {
        count: record.otherScans.length + 1,
        scans:
          record.otherScans.slice(0, SHOWN_SCANS).join(', ') +
          (record.otherScans.length > SHOWN_SCANS ? ', …' : ''),
      },
    ]);
  if (record?.unclearWavelengths)
    notes.push(['xrd.note.wavelengths', { wavelengths: record.unclearWavelengths.join(', ') }]);
  else if (record?.probe === 'neutron' && record.radiation === undefined) notes.push(['xrd.note.neutrons']);
  if (record?.contradictsAnode)
    notes.push(['xrd.note.contradiction', { anode: record.anode ?? '', wavelength: record.kAlpha1 ?? '?' }]);
  if (record?.isKAlpha2Kept) notes.push(['xrd.note.k-alpha-2']);
  if (record?.isSlitVariable) notes.push(['xrd.note.variable-slit', { slit: record.divergenceSlit ?? '?' }]);
  if (read.skippedLines > 0) notes.push(['xrd.note.skipped', { count: read.skippedLines }]);
  if (read.mergedPoints > 0) notes.push(['xrd.note.merged', { count: read.mergedPoints }]);
  if (read.negativePoints > 0) notes.push(['xrd.note.negative', { count: read.negativePoints }]);
  if (read.decimalComma) notes.push(['xrd.note.decimal-comma']);
  if (read.areSigmasDoubted) notes.push(['xrd.note.sigmas-left-out']);
  if (read.sigmaSource === 'file') notes.push(['xrd.note.sigmas']);
  if (read.sigmaSource === 'scaled-counts') notes.push(['xrd.note.scaled-counts']);
  const group = Math.ceil(read.x.length / MAX_PATTERN_POINTS);
  const isPlain = read.sigmaSource === 'counts' && read.mergedPoints === 0 && group === 1;
  const sigmas = read.sigmas && !isPlain && { sigmas: thinnedSigmas(read.sigmas, group) };
  if (group === 1) return { x: [...read.x], y: [...read.y], ...sigmas, notes, record };
  const x = thinned(read.x, group);
  notes.push(['xrd.note.thinned', { from: read.x.length, to: x.length }]);
  return { x, y: thinned(read.y, group).map(rounded), ...sigmas, notes, record };
}

export interface WithoutBackground {
  readonly y: readonly number[];
  readonly background: readonly number[];
}

/** Intensities above the background, clipped at zero, and the background. */
export function splitBackground({ x, y }: Pattern): WithoutBackground {
  const level = background(x, y);
  return {
    y: y.map((value, i) => rounded(Math.max(0, value - level[i]!))),
    background: Array.from(level, rounded),
  };
}

// ── A match: the query of a pattern, or of its remainder after known phases, and the reports on hits ──

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

// ── The members of an uploaded archive that contain measurements, within limits of number and size ──

/** Largest number of members of an archive, including skipped ones. */
const MAX_MEMBERS = 5000;
/** Largest size of all unpacked members together. Texts of numbers compress to about a fifth. */
const MAX_UNPACKED = 32 * 1024 * 1024;

const isZip = (bytes: Uint8Array): boolean =>
  [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);

function opened(bytes: Uint8Array): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });
}

async function contentOf(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, found) => (error ? reject(error) : resolve(found)));
  });
  const parts: Buffer[] = [];
  // yauzl ends the stream with an error when a member is longer than stated.
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/**
 * Members by name; empty when the bytes are no archive, a damaged archive or one that is too large. The
 * pattern parser then refuses the file as an archive.
 */
export async function archiveMembers(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const members = new Map<string, Uint8Array>();
  if (!isZip(bytes)) return members;
  try {
    const zip = await opened(bytes);
    if (zip.entryCount > MAX_MEMBERS) return members;
    let left = MAX_UNPACKED;
    for await (const entry of zip.eachEntry()) {
      if (!ARCHIVE_MEMBERS.test(entry.fileName)) continue;
      left -= entry.uncompressedSize;
      if (left < 0) return new Map();
      members.set(entry.fileName, await contentOf(zip, entry));
    }
    return members;
  } catch {
    return new Map();
  }
}

// ── An identification ──

export interface CandidateSource {
  readonly id: number;
  readonly cell: CompactCell;
  readonly strain: number;
}

/** Shared by the steps of one identification. */
interface Step {
  readonly request: IdentificationRequest;
  readonly mixture: FittedMixture;
  readonly control: SharedArrayBuffer;
  /** The step ends after this time with its best result so far. */
  readonly seconds: number;
}

export const proposeCandidates = ({
  index,
  ...request
}: ProposalRequest & { readonly index: SharedArrayBuffer }): Proposals =>
  proposePhases(openPatternIndex(index), request);

export const prepareCandidates = (sources: readonly CandidateSource[]): PhaseCandidate[] =>
  sources.map(({ id, cell, strain }) => {
    const { refined, start } = preparedPhase({ source: cell, strain, label: undefined }, id);
    const composition = compositionOf(refined.structure);
    return { id, phase: refined, strain, prototype: `${anonymousFormula(composition)} ${start.spaceGroup}` };
  });

export const weighPhases = (work: Step & { readonly candidates: readonly PhaseCandidate[] }): RoundResult =>
  weighCandidates(work.request, work.mixture, work.candidates, hooksOf(work));

export const reviewPhases = (
  work: Step & { readonly found: readonly FoundPhase[]; readonly candidates: readonly PhaseCandidate[] },
): ReviewedMixture => reviewMixture(work.request, work.mixture, work.found, work.candidates, hooksOf(work));

/** Fractions and cells of the phases that were found; their stored cells are in `sources`, in the same order. */
export const refinePhases = (work: Step & { readonly sources: readonly CompactCell[] }): Refined => ({
  result: refineMixture(work.request, work.mixture, hooksOf(work)),
  start: work.sources.map(
    (source, at) => preparedPhase({ source, strain: 0, label: undefined }, at + 1).start,
  ),
});
