/**
 * Reads a measured powder pattern from the file of an instrument (instrument/), or from a text file of two or
 * three columns (2θ, intensity, optional σ).
 *
 * Laboratories write .txt .xy .xye .csv .dat with comments, headers, any separator and either decimal mark. The
 * parser scans all lines once and decides how columns are separated. A refusal shows the faulty line and an
 * example of the expected one. Work is linear in the size of the file; the caller limits the size.
 */
import { decodeText } from './decode-text.ts';
import { isCount, noiseLevel } from './background.ts';
import type { InstrumentFile, InstrumentScan } from './instrument/instrument-file.ts';
import {
  firstPowderScan,
  type MeasurementRecord,
  readArchive,
  readBinaryFile,
  readTextFile,
  radiationInComments,
} from './instrument/read-instrument-file.ts';
import { type DiffractionError, unreadable } from './diffraction-error.ts';
import { angleGrid, profile } from './profile.ts';

/** A pattern with fewer points is refused: a single peak needs five to have a height and a width. */
export const MIN_PATTERN_POINTS = 20;

/**
 * Negative intensities up to this share of the maximum result from background subtraction. If they are larger, the
 * column contains something else and the file is refused.
 */
export const NEGATIVE_INTENSITY_SHARE = 0.05;

/** The example of an expected line in error messages. */
export const EXPECTED_LINE = '20.02 1534';

export interface MeasuredPattern {
  /** 2θ in degrees, strictly rising. */
  readonly x: Float64Array;
  /** Intensities in the units of the file. */
  readonly y: Float64Array;
  /** Standard deviations of the intensities; undefined if they are unknown. */
  readonly sigmas: Float64Array | undefined;
  /** Where σ is from: stated in the file, or from counts, which may have been scaled. */
  readonly sigmaSource?: 'file' | 'scaled-counts' | 'counts' | undefined;
  /** Whether the file states values as σ that cannot be σ of its intensities. */
  readonly areSigmasDoubted: boolean;
  readonly decimalComma: boolean;
  /** Header, comment and irregular lines that were skipped. */
  readonly skippedLines: number;
  /** Number of points that were averaged into another point at the same angle. */
  readonly mergedPoints: number;
  /** Number of small negative intensities. */
  readonly negativePoints: number;
  /** Metadata stated in the file, if there are any. */
  readonly record?: MeasurementRecord;
}

const POINT_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/;
const COMMA_NUMBER = /^[+-]?(?:\d+,?\d*|,\d+)(?:[eEdD][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:inf|infinity|nan|1\.#inf|1\.#qnan)$/i;

/** Longest line that can hold three numbers. A longer line is not a data line and is not split. */
const MAX_LINE_LENGTH = 200;

/** Intensity with commas between its thousands, in quotes or after a separator that is no comma: `20.02 1,534`. */
const THOUSANDS = /^(\s*"?\d+(?:\.\d*)?"?(?:[\s;]+"?|,\s*"))(\d{1,3}(?:,\d{3})+)(?=[.\s;"]|$)/;

interface Row {
  readonly line: number;
  readonly values: readonly number[];
}

const numberOf = (token: string): number => Number(token.replace(',', '.').replace(/[dD]/, 'e'));

/** Numbers of a line, with the comma as decimal mark or as separator; undefined if the line contains anything else. */
function parseRow(line: string, decimalComma: boolean): number[] | undefined {
  if (line.length > MAX_LINE_LENGTH) return undefined;
  const pattern = decimalComma ? COMMA_NUMBER : POINT_NUMBER;
  const values: number[] = [];
  const words = decimalComma
    ? line.split(/[\s;]+/)
    : line
        .replace(THOUSANDS, (_, before: string, digits: string) => before + digits.replaceAll(',', ''))
        .split(/[\s;,]+/);
  for (const raw of words) {
    const token = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw;
    if (token === '') continue;
    if (pattern.test(token)) values.push(numberOf(token));
    else if (NOT_FINITE.test(token)) values.push(Number.NaN);
    else return undefined;
  }
  return values;
}

/** A line for an error message: short, without control characters. */
const shown = (line: string): string =>
  line
    .slice(0, 40)
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim();

/** The rows of the file, with the meaning of the comma that fits more lines. */
function readRows(lines: readonly string[]): { rows: Row[]; decimalComma: boolean; columns: 2 | 3 } {
  const readings = [true, false].map((decimalComma) => {
    const rows: Row[] = [];
    const perCount = [0, 0, 0, 0];
    let withComma = 0;
    for (const [index, line] of lines.entries()) {
      const values = parseRow(line, decimalComma);
      if (!values || values.length === 0) continue;
      perCount[Math.min(values.length, 4)] = (perCount[Math.min(values.length, 4)] ?? 0) + 1;
      rows.push({ line: index + 1, values });
      if (line.includes(',')) withComma += 1;
    }
    const columns: 2 | 3 = (perCount[3] ?? 0) > (perCount[2] ?? 0) ? 3 : 2;
    return { rows, decimalComma, columns, usable: perCount[columns] ?? 0, withComma };
  }) as [Reading, Reading];
  const [comma, point] = readings;
  // "10,02 153" is two numbers with a decimal comma, or three with a comma between columns. The first reading is
  // preferred, because nobody mixes separators. "10.02,153" and "10, 153" are not numbers with a decimal comma.
  return comma.withComma > 0 && comma.usable >= point.usable && comma.usable > 0 ? comma : point;
}

interface Reading {
  readonly rows: Row[];
  readonly decimalComma: boolean;
  readonly columns: 2 | 3;
  readonly usable: number;
  readonly withComma: number;
}

/** The reason why no columns of angles and intensities were found. */
function explainNoRows(lines: readonly string[], rows: readonly Row[]): DiffractionError {
  const wrong = rows.find((row) => row.values.length !== 2 && row.values.length !== 3);
  if (wrong) {
    const count = wrong.values.length;
    const found = shown(lines[wrong.line - 1] ?? '');
    return unreadable(
      'columns',
      `line ${wrong.line} has ${count === 1 ? 'one number' : `${count} numbers`} ("${found}"): expected two or three, angle and intensity, such as "${EXPECTED_LINE}"`,
      { line: wrong.line, count, found },
    );
  }
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return unreadable('empty', `the file is empty: expected lines such as "${EXPECTED_LINE}"`);
  const html = /^\s*<(?:!doctype|html|\?xml|head|body|table|div)/i.test(lines[first] ?? '');
  const found = shown(lines[first] ?? '');
  return unreadable(
    html ? 'markup' : 'no-numbers',
    `${html ? 'the file is a web page or XML, not columns of numbers' : 'no line holds an angle and an intensity'}: line ${first + 1} is "${found}", expected lines such as "${EXPECTED_LINE}"`,
    { line: first + 1, found },
  );
}

/**
 * Headings of files whose first column is not 2θ: `# q_A^-1 I`, `d(Å), I`, `Energy (keV), I`, `2th_rad I`.
 */
const OTHER_AXES = [
  ['Q', /^(?:chi_)?q(?:_[an]|\s?[([/]|["\s,;]{1,9}(?:chi_)?i|"?$)/i],
  ['d', /^d(?:[-_ ]spacing|_[an]|\s?[([/]|["\s,;]{1,9}i|"?$)/i],
  ['E', /^(?:e|energy)["\s_,;([/]{1,9}[km]?ev\b[^\d=:]*$/i],
  ['sin θ/λ', /^(?:s\s?[([/]|sin\W{0,3}(?:θ|th))/i],
  ['2θ (rad)', /^(?:2|two)[-_ ]?(?:θ|th(?:eta)?)["\s_([/]{1,9}rad\b[^\d=:]*$/i],
] as const;

/** Heading of a file whose lines begin with their number: `No., 2theta, I`. */
const NUMBERED = /^(?:no|nr|index|point)\.?["\s,;]{1,9}(?:2|two)[-_ ]?(?:θ|th)/i;

const headingOf = (line: string): string =>
  line
    .slice(0, MAX_LINE_LENGTH)
    .replace(/^[\s#!;"'%/*]*/, '')
    .trim();

const otherAxis = (headings: readonly string[]): string | undefined => {
  for (const first of headings) {
    const [axis] = OTHER_AXES.find(([, pattern]) => pattern.test(first)) ?? [];
    if (axis !== undefined) return axis;
  }
  return undefined;
};

function checkRow({ line, values }: Row): void {
  const [angle, intensity] = values as [number, number];
  if (!Number.isFinite(angle) || !Number.isFinite(intensity))
    throw unreadable(
      'not-finite',
      `line ${line} holds a value that is not finite: expected numbers such as "${EXPECTED_LINE}"`,
      { line },
    );
  if (angle < 0 || angle > 180)
    throw unreadable(
      'angle',
      `line ${line} has the angle ${angle}: expected 2θ between 0 and 180 degrees in the first column, such as "${EXPECTED_LINE}"`,
      { line, angle },
    );
}

type Points = Pick<InstrumentScan, 'x' | 'y' | 'sigmas' | 'perCount'>;

/** Points in the order of their angles, with repeated angles averaged. */
function sorted(points: Points, given: ArrayLike<number> | undefined) {
  const order = Array.from(points.x, (_, i) => i).sort((a, b) => points.x[a] - points.x[b]);
  const x: number[] = [];
  const y: number[] = [];
  const variances: number[] = [];
  let repeats = 1;
  for (const i of order) {
    const [angle, intensity, variance] = [points.x[i], points.y[i], given?.[i] ?? 0];
    if (x.length > 0 && angle === x.at(-1)) {
      repeats += 1;
      const last = y.length - 1;
      y[last] += (intensity - y[last]) / repeats;
      variances[last] = ((repeats - 1) ** 2 * variances[last] + variance) / repeats ** 2;
    } else {
      x.push(angle);
      y.push(intensity);
      variances.push(variance);
      repeats = 1;
    }
  }
  return { x, y, variances };
}

/** Standard deviations are in doubt if the scatter between neighbours is below this share of them. */
const LEAST_SCATTER = 0.1;

/**
 * Variances that the file states. A σ of zero belongs to an intensity of zero and is replaced by the smallest
 * σ of the file, which is about that of a single count.
 * @returns undefined if the values are no standard deviations of these intensities
 */
function statedVariances(y: ArrayLike<number>, sigmas: ArrayLike<number>): Float64Array | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < y.length; i++) {
    if (!(sigmas[i] >= 0 && sigmas[i] < Infinity) || (sigmas[i] === 0 && y[i] > 0)) return undefined;
    if (sigmas[i] > 0) least = Math.min(least, sigmas[i]);
  }
  const stated = Float64Array.from(sigmas, (sigma) => Math.max(sigma, least));
  const isSmooth = noiseLevel(stated.map((sigma, i) => y[i] / sigma)) < LEAST_SCATTER;
  return least === Infinity || isSmooth ? undefined : stated.map((sigma) => sigma * sigma);
}

/**
 * Variances of the intensities. For n counts that were multiplied by k, the variance is k² n = k y. If no
 * count was measured, it is that of one count, k². Undefined if neither σ nor k is known.
 */
function variancesOf({ y, sigmas, perCount }: Points): Pick<MeasuredPattern, 'sigmaSource'> & {
  readonly variances?: ArrayLike<number>;
} {
  const stated = sigmas && statedVariances(y, sigmas);
  if (stated) return { sigmaSource: 'file', variances: stated };
  const isScaled = perCount !== undefined && Array.from(perCount).some((factor) => factor !== 1);
  const factors = isScaled ? perCount : Array.from(y, (value) => (isCount(value) ? 1 : Number.NaN));
  const variances = Float64Array.from(y, (value, i) => factors[i] * Math.max(value, factors[i]));
  if (!variances.every((variance) => variance > 0 && variance < Infinity)) return {};
  return { sigmaSource: isScaled ? 'scaled-counts' : 'counts', variances };
}

/** Makes a pattern from points in any order. @throws DiffractionError `unreadable-pattern` */
function patternOf(
  points: Points,
): Pick<
  MeasuredPattern,
  'x' | 'y' | 'sigmas' | 'sigmaSource' | 'areSigmasDoubted' | 'mergedPoints' | 'negativePoints'
> {
  const { sigmaSource, variances: given } = variancesOf(points);
  const { x, y, variances } = sorted(points, given);
  if (x.length < MIN_PATTERN_POINTS)
    throw unreadable(
      'too-few',
      `the file has only ${x.length} different angles: a pattern needs at least ${MIN_PATTERN_POINTS} lines such as "${EXPECTED_LINE}"`,
      { points: x.length },
    );
  const highest = y.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const lowest = y.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
  if (highest === lowest)
    throw unreadable('constant', `all intensities are ${highest}: a pattern needs peaks`, { value: highest });
  if (lowest < -NEGATIVE_INTENSITY_SHARE * highest)
    throw unreadable(
      'negative',
      `intensities go down to ${lowest} with a maximum of ${highest}: expected counts, zero or more, in the second column`,
      { lowest, highest },
    );
  return {
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    sigmas: given && Float64Array.from(variances, Math.sqrt),
    sigmaSource,
    areSigmasDoubted: points.sigmas !== undefined && sigmaSource !== 'file',
    mergedPoints: points.x.length - x.length,
    negativePoints: y.filter((value) => value < 0).length,
  };
}

function readColumns(text: string): MeasuredPattern {
  const lines = text.split(/\r\n|\r|\n/);
  const { rows, decimalComma, columns } = readRows(lines);
  const whole = rows.filter((row) => row.values.length === columns);
  if (whole.length === 0 || whole.length < rows.length / 2) throw explainNoRows(lines, rows);
  const headings = lines.slice(0, whole[0].line - 1).map(headingOf);
  const other = otherAxis(headings);
  if (other)
    throw unreadable(
      'not-two-theta',
      `the first column is ${other}, not 2θ: expected angles in degrees, such as "${EXPECTED_LINE}"`,
      { format: 'XY', axis: other },
    );
  const isNumbered = columns === 3 && headings.some((heading) => NUMBERED.test(heading));
  const data = isNumbered ? whole.map(({ line, values }) => ({ line, values: values.slice(1) })) : whole;
  for (const row of data) checkRow(row);
  const points = {
    x: data.map(({ values }) => values[0]),
    y: data.map(({ values }) => values[1]),
    ...(columns === 3 && !isNumbered && { sigmas: data.map(({ values }) => values[2]) }),
  };
  const radiation = radiationInComments(text);
  return {
    ...patternOf(points),
    decimalComma,
    skippedLines: lines.filter((line) => line.trim() !== '').length - data.length,
    ...(radiation === undefined
      ? {}
      : {
          record: firstPowderScan({
            format: 'XY',
            ...radiation,
            scans: [{ axis: '2θ', isTwoTheta: true, ...points }],
          }).record,
        }),
  };
}

function ofInstrument(file: InstrumentFile): MeasuredPattern {
  const { scan, record } = firstPowderScan(file);
  return { ...patternOf(scan), decimalComma: false, skippedLines: 0, record };
}

/**
 * Reads a measured pattern from the bytes of a file.
 *
 * Files of instruments are recognised by their content. In columns of text, header and comment lines are
 * skipped, and so are rows whose length differs from most (a first line `start stop step`). Angles are sorted
 * and repeated ones averaged.
 * @param members members of the archive, if the file is one, whose names match ARCHIVE_MEMBERS
 * @throws DiffractionError `unreadable-pattern` naming the line found and the line expected.
 * @example readMeasuredPattern(new TextEncoder().encode('# Cu Ka\n10,00;120\n10,02;131\n…')).x[1] // 10.02
 */
export function readMeasuredPattern(
  bytes: Uint8Array,
  members: ReadonlyMap<string, Uint8Array> = new Map(),
): MeasuredPattern {
  const binary = readBinaryFile(bytes) ?? readArchive(members);
  if (binary) return ofInstrument(binary);
  const text = decodeText(bytes);
  const file = readTextFile(text);
  return file ? ofInstrument(file) : readColumns(text);
}

// A list of spacings and intensities, as tables of reference cards give it, and the pattern drawn from it.

export interface ListedLine {
  /** Å */
  readonly d: number;
  /** Intensity, in any unit. */
  readonly intensity: number;
}

const STEP_DEG = 0.02;
const CRYSTALLITE_SIZE_NM = 60;
const MARGIN_DEG = 3;
/** Widest range of a pattern, degrees. */
const RANGE_DEG = [2, 165] as const;

/**
 * The pattern of a list of spacings: lines with the width of 60 nm crystallites at their Bragg angles, in steps of
 * 0.02° from 3° below the first line to 3° above the last one.
 * @param wavelength Å
 * @returns angles in degrees, and intensities with the strongest point at 100; null if no line is visible at the wavelength
 */
export function patternOfLines(
  lines: readonly ListedLine[],
  wavelength: number,
): { x: number[]; y: number[] } | null {
  const peaks = lines.flatMap(({ d, intensity }) => {
    const sine = wavelength / (2 * d);
    const twoThetaDeg = (360 / Math.PI) * Math.asin(Math.min(1, sine));
    return intensity > 0 && twoThetaDeg > RANGE_DEG[0] && twoThetaDeg < RANGE_DEG[1]
      ? [{ twoThetaDeg, intensity }]
      : [];
  });
  if (peaks.length === 0) return null;
  const angles = peaks.map(({ twoThetaDeg }) => twoThetaDeg);
  const from = Math.max(RANGE_DEG[0], Math.floor(Math.min(...angles) - MARGIN_DEG));
  const to = Math.min(RANGE_DEG[1], Math.ceil(Math.max(...angles) + MARGIN_DEG));
  const grid = angleGrid(from, to, STEP_DEG);
  const shape = profile(peaks, { crystalliteSizeNm: CRYSTALLITE_SIZE_NM, wavelength, grid });
  return {
    x: Array.from(grid, (angle) => Number(angle.toFixed(3))),
    y: Array.from(shape, (value) => Number(value.toFixed(4))),
  };
}
