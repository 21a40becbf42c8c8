/** Recognises a file of an instrument by its content, reads it, and selects the scan that is a powder pattern. */
import {
  findRadiationSource,
  kBetaOf,
  neutronsOf,
  RADIATION_SOURCES,
  WAVELENGTH_LIMITS,
} from '../radiation.ts';
import { isBrml, isRaw, isUxd, readBrml, readBrukerRaw, readUxd } from './bruker.ts';
import {
  type InstrumentFile,
  type InstrumentScan,
  TIME_OF_FLIGHT,
  evenAngles,
  numbersOf,
  perMeanTime,
  positive,
} from './instrument-file.ts';
import { isRas, isRasx, isRigakuAsc, readRas, readRasx, readRigakuAsc } from './rigaku.ts';
import { isPanalyticalCsv, isUdf, isXrdml, readPanalyticalCsv, readUdf, readXrdml } from './panalytical.ts';
import { damaged, unreadable } from '../diffraction-error.ts';
import type { RadiationLine } from '../refinement/types.ts';
import {
  type CifBlock,
  CrystalError,
  parseFileNumber,
  plainText,
  readCifBlocks,
  tableWith,
} from '@unitcell/crystal';

/** Metadata of a measurement as stated in its file. */
export interface MeasurementRecord
  extends Pick<
    InstrumentFile,
    'format' | 'anode' | 'kAlpha1' | 'kAlpha2' | 'kAlphaRatio' | 'monochromator' | 'divergenceSlit' | 'probe'
  > {
  /** The scanned axis as named in the file. */
  readonly axis: string;
  /** Degrees; undefined if the step changes along the scan. */
  readonly step?: number | undefined;
  /** Counting time per step in seconds. */
  readonly stepSeconds?: number | undefined;
  /** Whether the divergence slit opens with the angle. */
  readonly isSlitVariable: boolean;
  /** Id of a source (`CuKa`, `neutrons 1.594`), or a wavelength in Å as text; undefined if the file states none or contradicts itself. */
  readonly radiation?: string | undefined;
  /** The lines of `radiation` with the wavelengths of the file, strongest first; undefined if the file does not state each. */
  readonly wavelengths?: readonly RadiationLine[] | undefined;
  /** Whether the wavelength does not belong to the anode. */
  readonly contradictsAnode: boolean;
  /** Whether the file names Kα1 alone, but no optics that would remove Kα2: both are in `radiation`. */
  readonly isKAlpha2Kept: boolean;
  /**
   * Wavelengths (Å) of unknown shares, given in place of `radiation` if they are not Kα1 and Kα2 of one
   * anode.
   */
  readonly unclearWavelengths?: readonly number[] | undefined;
  /** Scans of the file that were not used, displayed as `2Theta 20–80`. */
  readonly otherScans: readonly string[];
}

/** Names of the archive members that the readers use. */
export const ARCHIVE_MEMBERS =
  /(?:^Data\d{1,4}\/(?:Profile\d{1,4}\.txt|MesurementConditions\d{1,4}\.xml)|(?:^|\/)RawData\d{1,6}\.xml)$/;

/** Length of the beginning of a file that is examined for its format. */
const HEAD = 4096;

/** Reads a file whose bytes are in a binary format of an instrument. */
export const readBinaryFile = (bytes: Uint8Array): InstrumentFile | undefined =>
  isRaw(bytes) ? readBrukerRaw(bytes) : undefined;

/** Reads an archive whose members belong to an instrument. */
export function readArchive(members: ReadonlyMap<string, Uint8Array>): InstrumentFile | undefined {
  const names = [...members.keys()];
  if (isRasx(names)) return readRasx(members);
  return isBrml(names) ? readBrml(members) : undefined;
}

/** Reads a file whose text is in a format of an instrument. */
export function readTextFile(text: string): InstrumentFile | undefined {
  const head = text.slice(0, HEAD);
  if (isXrdml(head)) return readXrdml(text);
  if (isRas(head)) return readRas(text);
  if (isRigakuAsc(head)) return readRigakuAsc(text);
  if (isUdf(head)) return readUdf(text);
  if (isPanalyticalCsv(text)) return readPanalyticalCsv(text);
  if (isUxd(head)) return readUxd(text);
  if (isGsas(head)) return { ...readGsas(text), ...radiationInComments(text) };
  return isPowderCif(text) ? readPowderCif(text) : undefined;
}

/**
 * Å. Kα1 values of one anode in tables and instruments differ by less than this; neighbouring anodes differ by a
 * hundred times more.
 */
const SAME_LINE = 1e-3;

/** Å; a single wavelength may also come from a monochromator, so the tolerance is smaller. */
const SAME_WAVELENGTH = 1e-4;

const lineOf = (wavelength: number, line: string) =>
  RADIATION_SOURCES.find(
    ({ id, wavelength: listed }) => id.endsWith(line) && Math.abs(listed - wavelength) < SAME_LINE,
  );

/** The anode whose Kα1 and Kα2 have these wavelengths, in this order. */
function anodeOfDoublet([first, second]: readonly number[]): string | undefined {
  const anode = first === undefined ? undefined : lineOf(first, 'Ka1')?.id.slice(0, 2);
  return second !== undefined && lineOf(second, `${anode}Ka2`) ? anode : undefined;
}

/** Finds a wavelength in a comment, or Kα1 and Kα2: `# Calibrated wavelength = 0.413529`, `# wavelength 1.54056 1.54439`. */
export function radiationInComments(
  text: string,
): Pick<InstrumentFile, 'wavelength' | 'kAlpha1' | 'kAlpha2'> | undefined {
  const found =
    /^[ \t]*[#!;/*'].{0,60}\bwavelengths?\b[^\d\n]{0,20}(\d{1,2}\.\d{1,9})(?:[ \t,;/]{1,9}(\d{1,2}\.\d{1,9}))?/im.exec(
      text.slice(0, HEAD),
    );
  if (!found) return undefined;
  const [wavelength, kAlpha2] = found.slice(1).map(positive);
  const isDoublet = anodeOfDoublet([wavelength, kAlpha2].flatMap((line) => line ?? [])) !== undefined;
  return isDoublet ? { kAlpha1: wavelength, kAlpha2 } : { wavelength };
}

const kAlphaOf = (anode: string | undefined) => RADIATION_SOURCES.find(({ id }) => id === `${anode}Ka`);

/** Kβ1 of a listed anode, Å. */
const kBetaOfAnode = (anode: string | undefined) => kBetaOf(kAlphaOf(anode)?.wavelength ?? Number.NaN);

/**
 * The source, or the wavelength as text if no tube emits it; and its lines with the wavelengths of the file,
 * because those of the tables differ by up to 3e-5.
 */
function radiationOf(file: InstrumentFile): Pick<MeasurementRecord, 'radiation' | 'wavelengths'> {
  const { anode, kAlpha1, kAlpha2, kAlphaRatio = 0.5, lines, isKAlpha1, isKBeta, probe } = file;
  const wavelength = file.wavelength ?? (isKBeta ? kBetaOfAnode(anode) : undefined);
  if (lines) {
    const wavelengths = lines.map((line) => line.wavelength);
    const doublet = anodeOfDoublet(wavelengths);
    const { radiation } = radiationOf({ ...file, lines: undefined, wavelength: wavelengths[0] });
    return { radiation: doublet ? `${doublet}Ka` : radiation, wavelengths: lines };
  }
  if (probe === 'neutron') return wavelength === undefined ? {} : { radiation: neutronsOf(wavelength) };
  if (kAlpha1 !== undefined) {
    const line = lineOf(kAlpha1, 'Ka1');
    const first = { wavelength: kAlpha1, weight: 1 };
    if (isKAlpha1 || kAlpha2 === undefined || kAlphaRatio === 0)
      return { radiation: line?.id ?? String(kAlpha1), wavelengths: [first] };
    return {
      radiation: line ? `${line.id.slice(0, 2)}Ka` : String(Number(((2 * kAlpha1 + kAlpha2) / 3).toFixed(6))),
      wavelengths: [first, { wavelength: kAlpha2, weight: Math.min(1, kAlphaRatio) }],
    };
  }
  if (wavelength !== undefined) {
    const source = RADIATION_SOURCES.find(
      ({ wavelength: listed }) => Math.abs(listed - wavelength) < SAME_WAVELENGTH,
    );
    // The mean wavelength of Kα1 and Kα2 does not give the wavelengths of the two lines.
    if (source?.id.endsWith('Ka')) return { radiation: source.id };
    return { radiation: source?.id ?? String(wavelength), wavelengths: [{ wavelength, weight: 1 }] };
  }
  return { radiation: kAlphaOf(anode)?.id };
}

function inLimits(radiation: string | undefined): string | undefined {
  const value = findRadiationSource(radiation ?? '')?.wavelength ?? Number(radiation);
  const { min, max } = WAVELENGTH_LIMITS;
  return Number.isNaN(value) || (value >= min && value <= max) ? radiation : undefined;
}

/** The step if it is constant, apart from the rounding of angles in files. */
function evenStep(x: ArrayLike<number>): number | undefined {
  const step = (x[x.length - 1] - x[0]) / (x.length - 1);
  const tolerance = 0.1 * Math.abs(step) + 1e-3;
  for (let i = 1; i < x.length; i++) if (Math.abs(x[i] - x[i - 1] - step) > tolerance) return undefined;
  return Number(step.toPrecision(5));
}

const nameOf = ({ axis, x }: InstrumentScan): string =>
  x.length > 0 ? `${axis} ${Number(x[0].toFixed(2))}–${Number(x[x.length - 1].toFixed(2))}` : axis;

/** Limit on the length of the list of unused scans. */
const MAX_NAMED = 200;

/**
 * The first scan over 2θ and its metadata.
 * @throws DiffractionError `unreadable-pattern` when the file has no such scan, or values that are not finite
 */
export function firstPowderScan(file: InstrumentFile): { scan: InstrumentScan; record: MeasurementRecord } {
  const scan = file.scans.find(({ isTwoTheta, y }) => isTwoTheta && y.length > 0);
  if (!scan) {
    const [axis] = file.scans.map((other) => other.axis);
    if (axis === undefined || file.scans.some(({ isTwoTheta }) => isTwoTheta)) throw damaged(file.format);
    if (axis === TIME_OF_FLIGHT)
      throw unreadable(
        'time-of-flight',
        `the ${file.format} file holds neutrons by their time of flight: only patterns over 2θ with one wavelength are read`,
        { format: file.format },
      );
    throw unreadable(
      'not-two-theta',
      `the ${file.format} file holds a scan over ${axis}, not over 2θ: it is no powder pattern`,
      { format: file.format, axis },
    );
  }
  for (let i = 0; i < scan.y.length; i++)
    if (!Number.isFinite(scan.x[i]) || !Number.isFinite(scan.y[i]) || scan.x[i] < 0 || scan.x[i] > 180)
      throw damaged(file.format);
  const { format, anode, kAlpha1, kAlpha2, kAlphaRatio, monochromator, divergenceSlit } = file;
  const stated = radiationOf(file);
  const radiation = inLimits(stated.radiation);
  const anodes = new Set(RADIATION_SOURCES.map(({ id }) => id.slice(0, 2)));
  const contradictsAnode =
    anode !== undefined &&
    anodes.has(anode) &&
    radiation !== undefined &&
    !radiation.startsWith(anode) &&
    // Kβ of cobalt is given as a wavelength, because the list of sources has another value.
    !(Math.abs(Number(radiation) - (kBetaOfAnode(anode) ?? 0)) < SAME_LINE);
  const isKnown = radiation !== undefined && !contradictsAnode;
  return {
    scan,
    record: {
      format,
      axis: scan.axis,
      step: evenStep(scan.x),
      stepSeconds: scan.stepSeconds,
      anode,
      kAlpha1,
      kAlpha2,
      kAlphaRatio,
      monochromator,
      divergenceSlit,
      isSlitVariable: file.isSlitVariable === true,
      radiation: isKnown ? radiation : undefined,
      wavelengths: isKnown ? stated.wavelengths : undefined,
      probe: file.probe,
      contradictsAnode,
      isKAlpha2Kept: file.isKAlpha2Kept === true,
      unclearWavelengths: file.unclearWavelengths,
      otherScans: file.scans
        .filter((other) => other !== scan)
        .slice(0, MAX_NAMED)
        .map(nameOf),
    },
  };
}

// GSAS powder data (STD, ESD, FXY, FXYE) of constant wavelength.

const GSAS = 'GSAS';

const BANK = /^BANK\s+\d+\s+(\d+)\s+\d+\s+(\S+)((?:\s+[-+.\dEe]+){2,4})\s*(\w*)\s*$/;

const isGsas = (head: string): boolean => /^BANK\s+\d+\s+\d+/m.test(head);

/** Splits lines into fixed columns of eight characters. */
const fields = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.trimEnd().match(/.{1,8}/g) ?? []);

/**
 * Counts of the fields of an STD bank. The first two characters of a field are the number of counters that
 * measured the point (blank for one); the other six are the counts per counter (A. C. Larson, R. B. Von
 * Dreele, GSAS, Los Alamos report LAUR 86-748). The values are multiplied by the mean number of counters, so
 * that they scatter like counts.
 */
function countsOf(all: readonly string[]): { y: number[]; perCount: number[] } {
  const counters = all.map((field) => Number(field.slice(0, 2)) || 1);
  const mean = Math.round(counters.reduce((sum, count) => sum + count, 0) / all.length);
  return {
    y: all.map((field) => mean * Number(field.slice(2))),
    perCount: counters.map((count) => mean / count),
  };
}

/** A longer line is not a header. */
const MAX_HEADER = 200;

function bankOf(header: string, lines: readonly string[]): InstrumentScan {
  const [, count = '0', binning = '', ends = '', type = 'STD'] = BANK.exec(header.slice(0, MAX_HEADER)) ?? [];
  const points = Number(count);
  const [first, step] = numbersOf(ends, GSAS);
  // SLOG, RALF and similar binning types mark time-of-flight data.
  if (!/^CONS/i.test(binning)) return { axis: TIME_OF_FLIGHT, isTwoTheta: false, x: [], y: [] };
  if (first === undefined || step === undefined) throw damaged(GSAS);
  // A file with fewer values than the stated number of points is damaged.
  const scan = (found: {
    readonly x?: number[];
    readonly y: readonly number[];
    readonly sigmas?: number[];
    readonly perCount?: number[];
  }): InstrumentScan => {
    const { y } = found;
    if (y.length < points || y.some((value) => !Number.isFinite(value))) throw damaged(GSAS);
    return { axis: '2θ', isTwoTheta: true, x: evenAngles(first / 100, step / 100, y.length), ...found };
  };
  if (/^FXYE?$/i.test(type)) {
    const rows = lines
      .filter((line) => line.trim() !== '')
      .slice(0, points)
      .map((line) => numbersOf(line, GSAS));
    return scan({
      x: rows.map(([x = Number.NaN]) => x / 100),
      y: rows.map(([, y = Number.NaN]) => y),
      ...(/^FXYE$/i.test(type) && { sigmas: rows.map(([, , sigma = Number.NaN]) => sigma) }),
    });
  }
  if (/^ESD$/i.test(type)) {
    const pairs = fields(lines)
      .slice(0, 2 * points)
      .map(Number);
    return scan({
      y: pairs.filter((_, index) => index % 2 === 0),
      sigmas: pairs.filter((_, index) => index % 2 === 1),
    });
  }
  if (/^(?:STD)?$/i.test(type)) return scan(countsOf(fields(lines).slice(0, points)));
  throw damaged(GSAS);
}

/** @throws DiffractionError `unreadable-pattern` */
function readGsas(text: string): InstrumentFile {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => !line.startsWith('#'));
  const starts = lines.flatMap((line, index) => (line.startsWith('BANK') ? [index] : []));
  return {
    format: GSAS,
    scans: starts.map((start, bank) =>
      bankOf(lines[start].trimEnd(), lines.slice(start + 1, starts[bank + 1] ?? lines.length)),
    ),
  };
}

// Powder CIF: the measured or processed profile of each block (dictionary cif_pow).

const CIF = 'CIF';

const COUNTS = '_pd_meas_counts_total';

/** Seconds, of all points or of each. */
const TIME = '_pd_meas_step_count_time';

const INTENSITIES = [
  COUNTS,
  '_pd_meas_intensity_total',
  '_pd_proc_intensity_total',
  '_pd_meas_intensity_net',
  '_pd_proc_intensity_net',
];

/** Corrected angles come first, because peak positions of the publication refer to them. */
const ANGLES = ['_pd_proc_2theta_corrected', '_pd_meas_2theta_corrected', '_pd_meas_2theta_scan'];

const isPowderCif = (text: string): boolean =>
  /^[ \t]*data_\S/m.test(text.slice(0, 65_536)) && /^[ \t]*_pd_(?:meas|proc)[_.]/m.test(text);

/** First angle and step of a scan whose points have no individual angles. */
function rangeOf({ items }: CifBlock): readonly [number, number] | undefined {
  for (const part of ['proc', 'meas']) {
    const [first, step] = ['min', 'inc'].map((end) =>
      parseFileNumber(items.get(`_pd_${part}_2theta_range_${end}`)?.text ?? ''),
    );
    if (first !== undefined && step !== undefined) return [first, step];
  }
  return undefined;
}

function scanOf(text: string, block: CifBlock): InstrumentScan | undefined {
  const table = tableWith(text, block, INTENSITIES);
  const intensity = INTENSITIES.find((tag) => table?.has(tag));
  if (!table || !intensity) return undefined;
  const angle = ANGLES.find((tag) => table.has(tag));
  const range = rangeOf(block);
  if (!angle && !range) return { axis: TIME_OF_FLIGHT, isTwoTheta: false, x: [], y: [] };
  const weights = Array.from({ length: table.rows }, (_, row) =>
    parseFileNumber(table.value(row, '_pd_proc_ls_weight')?.text ?? ''),
  );
  // If every weight is 0, nothing was refined, so the weights do not mark excluded regions.
  const isRefined = weights.some((weight) => weight !== 0);
  const x: number[] = [];
  const y: number[] = [];
  const sigmas: number[] = [];
  const seconds: number[] = [];
  for (let row = 0; row < table.rows; row++) {
    const counts = table.value(row, intensity)?.text ?? '';
    // Skips points of excluded regions.
    if (counts === '.' || counts === '?' || (isRefined && weights[row] === 0)) continue;
    const at = angle
      ? parseFileNumber(table.value(row, angle)?.text ?? '')
      : range && Number((range[0] + range[1] * row).toFixed(6));
    x.push(at ?? Number.NaN);
    y.push(parseFileNumber(counts) ?? Number.NaN);
    sigmas.push(uncertaintyOf(counts));
    seconds.push(parseFileNumber(table.value(row, TIME)?.text ?? '') ?? Number.NaN);
  }
  // Counts are proportional to the time of each point; other intensities may already be corrected for it.
  const perCount = intensity === COUNTS ? perMeanTime(seconds) : y.map(() => 1);
  const scaled = (values: number[]): number[] => values.map((value, i) => value * perCount[i]);
  return {
    axis: '2θ',
    isTwoTheta: true,
    x,
    y: scaled(y),
    perCount,
    // Plain counts are written without standard uncertainties.
    ...(sigmas.every((sigma) => sigma > 0) && { sigmas: scaled(sigmas) }),
    stepSeconds: positive(block.items.get(TIME)?.text),
  };
}

/** The standard uncertainty in a number: 0.3 of `12.5(3)`; NaN without one. */
function uncertaintyOf(number: string): number {
  const [, decimals = '', last] = /^[-+]?\d{0,20}(?:\.(\d{0,20}))?\((\d{1,20})\)$/.exec(number) ?? [];
  return last === undefined ? Number.NaN : Number(last) / 10 ** decimals.length;
}

const WAVELENGTH = '_diffrn_radiation_wavelength';
const WAVELENGTH_WEIGHT = '_diffrn_radiation_wavelength_wt';
const PROBE = '_diffrn_radiation_probe';

/** A refinement takes at most this many lines. */
const MAX_LINES = 3;

/**
 * The wavelength of a block, or several with their relative weights. If weights are missing, only the Kα doublet of an
 * anode gets weights; other lists are unclear.
 */
function wavelengthsOf(
  text: string,
  block: CifBlock,
): Pick<InstrumentFile, 'wavelength' | 'lines' | 'unclearWavelengths'> {
  const item = block.items.get(WAVELENGTH);
  if (item) return { wavelength: positive(parseFileNumber(item.text)) };
  const table = tableWith(text, block, [WAVELENGTH]);
  const numberIn = (row: number, tag: string) => parseFileNumber(table?.value(row, tag)?.text ?? '');
  const listed = Array.from({ length: Math.min(9, table?.rows ?? 0) }, (_, row) => ({
    wavelength: positive(numberIn(row, WAVELENGTH)) ?? 0,
    weight: numberIn(row, WAVELENGTH_WEIGHT),
  }))
    .filter(({ wavelength, weight }) => wavelength > 0 && weight !== 0)
    .toSorted((a, b) => (b.weight ?? 0) - (a.weight ?? 0) || a.wavelength - b.wavelength);
  const wavelengths = listed.map(({ wavelength }) => wavelength);
  if (listed.length < 2) return { wavelength: wavelengths[0] };
  const strongest = listed[0].weight ?? 0;
  if (strongest > 0 && listed.every(({ weight = 0 }) => weight > 0))
    return {
      lines: listed
        .slice(0, MAX_LINES)
        .map(({ wavelength, weight = 0 }) => ({ wavelength, weight: weight / strongest })),
    };
  const isDoublet = listed.length === 2 && anodeOfDoublet(wavelengths) !== undefined;
  return isDoublet
    ? { lines: wavelengths.map((wavelength, i) => ({ wavelength, weight: 1 / (i + 1) })) }
    : { unclearWavelengths: wavelengths };
}

/** @throws DiffractionError `unreadable-pattern` */
function readPowderCif(file: string): InstrumentFile {
  try {
    const text = plainText(file);
    const blocks = readCifBlocks(text);
    const measured = blocks.flatMap((block) => {
      const scan = scanOf(text, block);
      return scan ? [{ block, scan }] : [];
    });
    const isNeutron = measured[0]?.block.items.get(PROBE)?.text.trim().toLowerCase() === 'neutron';
    return {
      format: CIF,
      ...(isNeutron && { probe: 'neutron' }),
      scans: measured.map(({ scan }) => scan),
      ...(measured[0] && wavelengthsOf(text, measured[0].block)),
    };
  } catch (error) {
    throw error instanceof CrystalError ? damaged(CIF) : error;
  }
}
