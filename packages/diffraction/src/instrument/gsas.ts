/** GSAS powder data (STD, ESD, FXY, FXYE) of constant wavelength. */
import {
  evenAngles,
  type InstrumentFile,
  type InstrumentScan,
  numbersOf,
  TIME_OF_FLIGHT,
} from './instrument-file.ts';
import { damaged } from '../diffraction-error.ts';

const FORMAT = 'GSAS';

const BANK = /^BANK\s+\d+\s+(\d+)\s+\d+\s+(\S+)((?:\s+[-+.\dEe]+){2,4})\s*(\w*)\s*$/;

export const isGsas = (head: string): boolean => /^BANK\s+\d+\s+\d+/m.test(head);

/** Splits lines into fixed columns of eight characters. */
const fields = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.trimEnd().match(/.{1,8}/g) ?? []);

/** The number in a field; STD stores the number of counters in the first two characters. */
function countsOf(field: string): number {
  const counters = Number(field.slice(0, 2)) || 1;
  return Number(field.slice(2)) / counters;
}

/** A longer line is not a header. */
const MAX_HEADER = 200;

function bankOf(header: string, lines: readonly string[]): InstrumentScan {
  const [, count = '0', binning = '', ends = '', type = 'STD'] = BANK.exec(header.slice(0, MAX_HEADER)) ?? [];
  const points = Number(count);
  const [first, step] = numbersOf(ends, FORMAT);
  // SLOG, RALF and similar binning types mark time-of-flight data.
  if (!/^CONS/i.test(binning)) return { axis: TIME_OF_FLIGHT, isTwoTheta: false, x: [], y: [] };
  if (first === undefined || step === undefined) throw damaged(FORMAT);
  // A file with fewer values than the stated number of points is damaged.
  const scan = (y: readonly number[], x?: readonly number[]): InstrumentScan => {
    if (y.length < points || y.some((value) => !Number.isFinite(value))) throw damaged(FORMAT);
    return { axis: '2θ', isTwoTheta: true, x: x ?? evenAngles(first / 100, step / 100, y.length), y };
  };
  if (/^FXYE?$/i.test(type)) {
    const rows = lines
      .filter((line) => line.trim() !== '')
      .slice(0, points)
      .map((line) => numbersOf(line, FORMAT));
    return scan(
      rows.map(([, y = Number.NaN]) => y),
      rows.map(([x = Number.NaN]) => x / 100),
    );
  }
  if (/^ESD$/i.test(type))
    return scan(
      fields(lines)
        .filter((_, index) => index % 2 === 0)
        .slice(0, points)
        .map(Number),
    );
  if (/^(?:STD)?$/i.test(type)) return scan(fields(lines).slice(0, points).map(countsOf));
  throw damaged(FORMAT);
}

/** @throws DiffractionError `unreadable-pattern` */
export function readGsas(text: string): InstrumentFile {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => !line.startsWith('#'));
  const starts = lines.flatMap((line, index) => (line.startsWith('BANK') ? [index] : []));
  return {
    format: FORMAT,
    scans: starts.map((start, bank) =>
      bankOf(lines[start].trimEnd(), lines.slice(start + 1, starts[bank + 1] ?? lines.length)),
    ),
  };
}
