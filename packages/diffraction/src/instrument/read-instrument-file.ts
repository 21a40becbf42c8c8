/** A file of an instrument: recognised by its content, read, and reduced to the scan that is a powder pattern. */
import { RADIATION_SOURCES, WAVELENGTH_LIMITS } from '../radiation.ts';
import { damaged, unreadable } from '../unreadable.ts';
import { isBrml, readBrml } from './brml.ts';
import { isRaw, readBrukerRaw } from './bruker-raw.ts';
import { isGsas, readGsas } from './gsas.ts';
import type { InstrumentFile, InstrumentScan } from './instrument-file.ts';
import { isPowderCif, readPowderCif } from './powder-cif.ts';
import { isRas, isRasx, isRigakuAsc, readRas, readRasx, readRigakuAsc } from './rigaku.ts';
import { isUdf, readUdf } from './udf.ts';
import { isUxd, readUxd } from './uxd.ts';
import { isXrdml, readXrdml } from './xrdml.ts';

/** What a file says about its measurement. */
export interface MeasurementRecord {
  /** The name of the format as shown: `Rigaku RAS`. */
  readonly format: string;
  /** The scanned axis in the words of the file. */
  readonly axis: string;
  /** Degrees; undefined when it changes along the scan. */
  readonly step?: number | undefined;
  /** Counting time of a step in seconds. */
  readonly stepSeconds?: number | undefined;
  readonly anode?: string | undefined;
  /** Å */
  readonly kAlpha1?: number | undefined;
  /** Å */
  readonly kAlpha2?: number | undefined;
  /** Intensity of Kα2 relative to Kα1. */
  readonly kAlphaRatio?: number | undefined;
  readonly monochromator?: string | undefined;
  /** The slit before the sample in the words of the file. */
  readonly divergenceSlit?: string | undefined;
  /** That slit opens with the angle. */
  readonly isSlitVariable: boolean;
  /** Id of a source (`CuKa`) or a wavelength in Å as text; undefined when the file names none or contradicts itself. */
  readonly radiation?: string | undefined;
  /** The wavelength is not one of the anode. */
  readonly contradictsAnode: boolean;
  /** Scans of the file that were not used, shown as `2Theta 20–80`. */
  readonly otherScans: readonly string[];
}

/** Names of an archive's members that the readers ask for. */
export const ARCHIVE_MEMBERS =
  /(?:^Data\d{1,4}\/(?:Profile\d{1,4}\.txt|MesurementConditions\d{1,4}\.xml)|(?:^|\/)RawData\d{1,6}\.xml)$/;

/** Longest part of a file that tells its format. */
const HEAD = 4096;

/** The file if its bytes are those of an instrument's binary format. */
export const readBinaryFile = (bytes: Uint8Array): InstrumentFile | undefined =>
  isRaw(bytes) ? readBrukerRaw(bytes) : undefined;

/** The file if the members of the archive are those of an instrument. */
export function readArchive(members: ReadonlyMap<string, Uint8Array>): InstrumentFile | undefined {
  const names = [...members.keys()];
  if (isRasx(names)) return readRasx(members);
  return isBrml(names) ? readBrml(members) : undefined;
}

/** The file if its text is that of an instrument. */
export function readTextFile(text: string): InstrumentFile | undefined {
  const head = text.slice(0, HEAD);
  if (isXrdml(head)) return readXrdml(text);
  if (isRas(head)) return readRas(text);
  if (isRigakuAsc(head)) return readRigakuAsc(text);
  if (isUdf(head)) return readUdf(text);
  if (isUxd(head)) return readUxd(text);
  if (isGsas(head)) return { ...readGsas(text), wavelength: wavelengthInComments(text) };
  return isPowderCif(text) ? readPowderCif(text) : undefined;
}

/** A wavelength in a comment: `# Calibrated wavelength = 0.413529`. */
export function wavelengthInComments(text: string): number | undefined {
  const found = /^[ \t]*[#!;/*'].{0,60}\bwavelength\b[^\d\n]{0,20}(\d{1,2}\.\d{1,9})/im.exec(
    text.slice(0, HEAD),
  );
  return found ? Number(found[1]) : undefined;
}

/** Å; Kα1 of tables and instruments differ by less, those of neighbouring anodes by a hundred times more. */
const SAME_LINE = 1e-3;

/** Å; a wavelength that stands alone may also come from a monochromator. */
const SAME_WAVELENGTH = 1e-4;

const lineOf = (wavelength: number, line: string) =>
  RADIATION_SOURCES.find(
    ({ id, wavelength: listed }) => id.endsWith(line) && Math.abs(listed - wavelength) < SAME_LINE,
  );

/** Id of the source, or the wavelength as text where it is no line of a tube. */
function radiationOf({ anode, kAlpha1, kAlpha2, wavelength, isKAlpha1 }: InstrumentFile): string | undefined {
  if (kAlpha1 !== undefined) {
    const line = lineOf(kAlpha1, 'Ka1');
    if (line) return isKAlpha1 || kAlpha2 === undefined ? line.id : `${line.id.slice(0, 2)}Ka`;
    return String(kAlpha2 === undefined ? kAlpha1 : Number(((2 * kAlpha1 + kAlpha2) / 3).toFixed(6)));
  }
  if (wavelength !== undefined) {
    const source = RADIATION_SOURCES.find(
      ({ wavelength: listed }) => Math.abs(listed - wavelength) < SAME_WAVELENGTH,
    );
    return source?.id ?? String(wavelength);
  }
  return RADIATION_SOURCES.find(({ id }) => id === `${anode}Ka`)?.id;
}

function inLimits(radiation: string | undefined): string | undefined {
  const value = Number(radiation);
  const { min, max } = WAVELENGTH_LIMITS;
  return Number.isNaN(value) || (value >= min && value <= max) ? radiation : undefined;
}

/** The step when it is the same everywhere, within what rounding of angles in files does. */
function evenStep(x: ArrayLike<number>): number | undefined {
  const step = (x[x.length - 1] - x[0]) / (x.length - 1);
  const tolerance = 0.1 * Math.abs(step) + 1e-3;
  for (let i = 1; i < x.length; i++) if (Math.abs(x[i] - x[i - 1] - step) > tolerance) return undefined;
  return Number(step.toPrecision(5));
}

const nameOf = ({ axis, x }: InstrumentScan): string =>
  x.length > 0 ? `${axis} ${Number(x[0].toFixed(2))}–${Number(x[x.length - 1].toFixed(2))}` : axis;

/** Longest list of scans that were not used. */
const MAX_NAMED = 200;

/**
 * The first scan over 2θ and what the file says about it.
 * @throws DiffractionError `unreadable-pattern` when the file has no such scan, or values that are not finite
 */
export function firstPowderScan(file: InstrumentFile): { scan: InstrumentScan; record: MeasurementRecord } {
  const scan = file.scans.find(({ isTwoTheta, y }) => isTwoTheta && y.length > 0);
  if (!scan) {
    const [axis] = file.scans.map((other) => other.axis);
    if (axis === undefined || file.scans.some(({ isTwoTheta }) => isTwoTheta)) throw damaged(file.format);
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
  const radiation = inLimits(radiationOf(file));
  const anodes = new Set(RADIATION_SOURCES.map(({ id }) => id.slice(0, 2)));
  const contradictsAnode =
    anode !== undefined && anodes.has(anode) && radiation !== undefined && !radiation.startsWith(anode);
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
      radiation: contradictsAnode ? undefined : radiation,
      contradictsAnode,
      otherScans: file.scans
        .filter((other) => other !== scan)
        .slice(0, MAX_NAMED)
        .map(nameOf),
    },
  };
}
