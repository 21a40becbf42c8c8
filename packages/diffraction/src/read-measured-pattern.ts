/**
 * Reading a measured powder pattern from a text file of two or three columns (2θ, intensity, optional σ).
 *
 * Laboratories write .txt .xy .xye .csv .dat with comments, headers, any separator and either decimal mark.
 * The reader scans all lines once, decides how columns are separated, and refuses with the offending line and
 * an example of the expected one. Work is linear in the size of the file; the caller limits the size.
 */
import { DiffractionError } from './diffraction-error.ts';

/**
 * Bytes of an uploaded text file to text: UTF-8, UTF-16 (with or without byte-order mark) or GBK; binary
 * files are refused.
 */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gbk';

/** The part of the WHATWG Encoding standard used here; every browser and Node have it. */
declare const TextDecoder: new (
  label: string,
  options?: { fatal?: boolean },
) => { decode(bytes: Uint8Array): string };

/** Bytes examined to detect the encoding; enough for any file of numbers. */
const SNIFF_LENGTH = 4096;

/** In ASCII text stored as UTF-16 every second byte is zero; other scripts in comments lower the share. */
const UTF16_ZERO_SHARE = 0.3;

/** Kinds of binary files. */
export type NotTextReason = 'picture' | 'document' | 'archive' | 'instrument-file' | 'binary';

const SIGNATURES: readonly (readonly [NotTextReason, string, readonly number[]])[] = [
  ['picture', 'a PNG picture', [0x89, 0x50, 0x4e, 0x47]],
  ['picture', 'a JPEG picture', [0xff, 0xd8, 0xff]],
  ['picture', 'a GIF picture', [0x47, 0x49, 0x46, 0x38]],
  ['document', 'a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['archive', 'a ZIP archive or Office document', [0x50, 0x4b, 0x03, 0x04]],
  ['archive', 'a gzip archive', [0x1f, 0x8b]],
  ['instrument-file', 'a Bruker RAW file', [0x52, 0x41, 0x57]],
  ['document', 'an old Office document', [0xd0, 0xcf, 0x11, 0xe0]],
];

function notText(reason: NotTextReason, what: string): DiffractionError {
  return new DiffractionError(
    'unreadable-pattern',
    `the file is ${what}, not text: export the pattern as two columns, angle and intensity (lines such as "20.02 1534")`,
    { reason },
  );
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

function sniff(bytes: Uint8Array): TextEncoding {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  for (const [reason, what, signature] of SIGNATURES)
    if (startsWith(bytes, signature)) throw notText(reason, what);
  const zeros: [number, number] = [0, 0];
  const length = Math.min(bytes.length, SNIFF_LENGTH);
  for (let i = 0; i < length; i++) if (bytes[i] === 0) zeros[i % 2 === 0 ? 0 : 1] += 1;
  const half = length / 2;
  if (zeros[1] > UTF16_ZERO_SHARE * half && zeros[0] < 0.05 * half) return 'utf-16le';
  if (zeros[0] > UTF16_ZERO_SHARE * half && zeros[1] < 0.05 * half) return 'utf-16be';
  if (zeros[0] + zeros[1] > 0) throw notText('binary', 'binary');
  return 'utf-8';
}

/**
 * Text and encoding of a file. Bytes that are not UTF-8 are read as GBK, the usual encoding of Chinese
 * instrument software; digits are the same in both.
 * @throws DiffractionError `unreadable-pattern` for pictures, archives and other binary files.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: TextEncoding } {
  const encoding = sniff(bytes);
  if (encoding !== 'utf-8') return { text: new TextDecoder(encoding).decode(bytes), encoding };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding };
  } catch {
    return { text: new TextDecoder('gbk').decode(bytes), encoding: 'gbk' };
  }
}

/** Fewer points are refused: a single peak needs five to have a height and a width. */
export const MIN_PATTERN_POINTS = 20;

/**
 * Negative intensities down to this share of the maximum result from background subtraction and are set to
 * zero; below it the column is something else and the file is refused.
 */
export const NEGATIVE_INTENSITY_SHARE = 0.05;

/** Why a file is refused: `parameters.reason` of an `unreadable-pattern`, with the values of its message. */
export type UnreadableReason =
  | NotTextReason
  | 'columns'
  | 'empty'
  | 'markup'
  | 'no-numbers'
  | 'not-finite'
  | 'angle'
  | 'too-few'
  | 'constant'
  | 'negative';

/** The example of an expected line in messages. */
export const EXPECTED_LINE = '20.02 1534';

export interface MeasuredPattern {
  /** 2θ in degrees, strictly rising. */
  readonly x: Float64Array;
  /** Intensities in the units of the file, never negative. */
  readonly y: Float64Array;
  readonly encoding: TextEncoding;
  readonly decimalComma: boolean;
  readonly columns: 2 | 3;
  /** Header, comment and irregular lines that were skipped. */
  readonly skippedLines: number;
  /** Points at a repeated angle that were averaged into another one. */
  readonly mergedPoints: number;
  /** Small negative intensities that were set to zero. */
  readonly negativePoints: number;
}

const POINT_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/;
const COMMA_NUMBER = /^[+-]?(?:\d+,?\d*|,\d+)(?:[eEdD][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:inf|infinity|nan|1\.#inf|1\.#qnan)$/i;

/** Longest line that can hold three numbers; anything longer is not a data line and is not split. */
const MAX_LINE_LENGTH = 200;

interface Row {
  readonly line: number;
  readonly values: readonly number[];
}

const numberOf = (token: string): number => Number(token.replace(',', '.').replace(/[dD]/, 'e'));

/**
 * Numbers of a line for one meaning of the comma, or undefined when the line does not consist of numbers
 * only.
 */
function parseRow(line: string, decimalComma: boolean): number[] | undefined {
  if (line.length > MAX_LINE_LENGTH) return undefined;
  const pattern = decimalComma ? COMMA_NUMBER : POINT_NUMBER;
  const values: number[] = [];
  for (const raw of line.split(decimalComma ? /[\s;]+/ : /[\s;,]+/)) {
    const token = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw;
    if (token === '') continue;
    if (pattern.test(token)) values.push(numberOf(token));
    else if (NOT_FINITE.test(token)) values.push(Number.NaN);
    else return undefined;
  }
  return values;
}

/** `reason` and the values of the message are included for callers that translate it. */
const refusal = (
  reason: UnreadableReason,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): DiffractionError => new DiffractionError('unreadable-pattern', message, { reason, ...details });

/** A line for an error message: short, without control characters. */
const shown = (line: string): string =>
  line
    .slice(0, 40)
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim();

/** The rows of the file with the meaning of the comma that explains more lines. */
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
  // "10,02 153" is two numbers with a decimal comma, or three with a comma between columns. The first wins,
  // because nobody mixes separators. "10.02,153" and "10, 153" are not numbers with a decimal comma.
  return comma.withComma > 0 && comma.usable >= point.usable && comma.usable > 0 ? comma : point;
}

interface Reading {
  readonly rows: Row[];
  readonly decimalComma: boolean;
  readonly columns: 2 | 3;
  readonly usable: number;
  readonly withComma: number;
}

/** Why no columns of angles and intensities were found. */
function explainNoRows(lines: readonly string[], rows: readonly Row[]): DiffractionError {
  const wrong = rows.find((row) => row.values.length !== 2 && row.values.length !== 3);
  if (wrong) {
    const count = wrong.values.length;
    const found = shown(lines[wrong.line - 1] ?? '');
    return refusal(
      'columns',
      `line ${wrong.line} has ${count === 1 ? 'one number' : `${count} numbers`} ("${found}"): expected two or three, angle and intensity, such as "${EXPECTED_LINE}"`,
      { line: wrong.line, count, found },
    );
  }
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return refusal('empty', `the file is empty: expected lines such as "${EXPECTED_LINE}"`);
  const html = /^\s*<(?:!doctype|html|\?xml|head|body|table|div)/i.test(lines[first] ?? '');
  const found = shown(lines[first] ?? '');
  return refusal(
    html ? 'markup' : 'no-numbers',
    `${html ? 'the file is a web page or XML, not columns of numbers' : 'no line holds an angle and an intensity'}: line ${first + 1} is "${found}", expected lines such as "${EXPECTED_LINE}"`,
    { line: first + 1, found },
  );
}

function checkRow({ line, values }: Row): void {
  const [angle, intensity] = values as [number, number];
  if (!Number.isFinite(angle) || !Number.isFinite(intensity))
    throw refusal(
      'not-finite',
      `line ${line} holds a value that is not finite: expected numbers such as "${EXPECTED_LINE}"`,
      { line },
    );
  if (angle < 0 || angle > 180)
    throw refusal(
      'angle',
      `line ${line} has the angle ${angle}: expected 2θ between 0 and 180 degrees in the first column, such as "${EXPECTED_LINE}"`,
      { line, angle },
    );
}

/**
 * A measured pattern from the bytes of a file.
 *
 * Header and comment lines are skipped, and so are rows whose length differs from most (a first line `start
 * stop step`). Angles are sorted and repeated ones averaged.
 * @throws DiffractionError `unreadable-pattern` naming the line found and the line expected.
 * @example readMeasuredPattern(new TextEncoder().encode('# Cu Ka\n10,00;120\n10,02;131\n…')).x[1] // 10.02
 */
export function readMeasuredPattern(bytes: Uint8Array): MeasuredPattern {
  const { text, encoding } = decodeText(bytes);
  const lines = text.split(/\r\n|\r|\n/);
  const { rows, decimalComma, columns } = readRows(lines);
  const data = rows.filter((row) => row.values.length === columns);
  if (data.length === 0 || data.length < rows.length / 2) throw explainNoRows(lines, rows);
  for (const row of data) checkRow(row);
  if (data.length < MIN_PATTERN_POINTS)
    throw refusal(
      'too-few',
      `the file has ${data.length} points: a pattern needs at least ${MIN_PATTERN_POINTS} lines such as "${EXPECTED_LINE}"`,
      { points: data.length },
    );
  data.sort((a, b) => a.values[0] - b.values[0]);

  const x: number[] = [];
  const y: number[] = [];
  let repeats = 1;
  for (const { values } of data) {
    const [angle, intensity] = values as [number, number];
    if (x.length > 0 && angle === x.at(-1)) {
      repeats += 1;
      y[y.length - 1] = y.at(-1)! + (intensity - y.at(-1)!) / repeats;
    } else {
      x.push(angle);
      y.push(intensity);
      repeats = 1;
    }
  }
  if (x.length < MIN_PATTERN_POINTS)
    throw refusal(
      'too-few',
      `the file has only ${x.length} different angles: a pattern needs at least ${MIN_PATTERN_POINTS}`,
      { points: x.length },
    );
  const highest = y.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const lowest = y.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
  if (highest === lowest)
    throw refusal('constant', `all intensities are ${highest}: a pattern needs peaks`, { value: highest });
  if (lowest < -NEGATIVE_INTENSITY_SHARE * highest)
    throw refusal(
      'negative',
      `intensities go down to ${lowest} with a maximum of ${highest}: expected counts, zero or more, in the second column`,
      { lowest, highest },
    );
  return {
    x: Float64Array.from(x),
    y: Float64Array.from(y, (value) => Math.max(0, value)),
    encoding,
    decimalComma,
    columns,
    skippedLines: lines.filter((line) => line.trim() !== '').length - data.length,
    mergedPoints: data.length - x.length,
    negativePoints: y.filter((value) => value < 0).length,
  };
}
