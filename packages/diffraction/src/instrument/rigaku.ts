/** Rigaku: RAS (text), RASX (an archive of text and XML), and the older ASC. */
import { declaresEntities, inside } from '@unitcell/crystal';
import { decodeText } from '../decode-text.ts';
import {
  evenAngles,
  type InstrumentFile,
  type InstrumentScan,
  numbersOf,
  positive,
  words,
} from './instrument-file.ts';
import { damaged } from '../diffraction-error.ts';

const RAS = 'Rigaku RAS';
const RASX = 'Rigaku RASX';

export const isRas = (head: string): boolean => /^\s*\*RAS_(?:DATA|HEADER)_START/.test(head);

const isTwoTheta = (axis: string): boolean => /^(?:two|2)-?theta/i.test(axis);

/**
 * Angle, intensity and attenuation of each line.
 * @param rateSeconds seconds per step, if the intensities are counts per second
 */
function columns(
  lines: readonly string[],
  format: string,
  rateSeconds = 1,
): Pick<InstrumentScan, 'x' | 'y' | 'perCount'> {
  const x: number[] = [];
  const y: number[] = [];
  const perCount: number[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const [angle, counts, attenuation = 1] = numbersOf(line, format);
    if (angle === undefined || counts === undefined) throw damaged(format);
    x.push(angle);
    y.push(counts * attenuation);
    perCount.push(attenuation / rateSeconds);
  }
  return { x, y, perCount };
}

/** Seconds per step: from the speed of a continuous scan; a step scan has the time in place of the speed. */
function secondsOf(
  step: string | null | undefined,
  speed: string | null | undefined,
  unit: string | null | undefined,
) {
  if (/^s/i.test(unit ?? '')) return positive(speed);
  const [degrees, degreesPerMinute] = [positive(step), positive(speed)];
  return unit === 'deg/min' && degrees && degreesPerMinute
    ? Number(((60 * degrees) / degreesPerMinute).toPrecision(4))
    : undefined;
}

/** Seconds per step of intensities in counts per second; 1 for counts. */
const rateSeconds = (unit: string | null | undefined, stepSeconds: number | undefined): number =>
  unit === 'cps' ? (stepSeconds ?? Number.NaN) : 1;

/**
 * The lines that reached the sample: `Ka` is Kα1 with Kα2, `Ka1` is left by a crystal that removes Kα2, and `Kb` is Kβ.
 * @param type the radiation of the measurement
 * @param lines Kα1, Kα2 and Kβ of the anode, Å
 */
function linesOf(type: string | null | undefined, lines: readonly (string | null | undefined)[]) {
  const [kAlpha1, kAlpha2, wavelength] = lines.map(positive);
  const isKBeta = type?.startsWith('Kb') === true;
  return isKBeta ? { isKBeta, wavelength } : { kAlpha1, kAlpha2, isKAlpha1: type === 'Ka1' };
}

/** Crystals before the sample. The mirror and slits, which the names also contain, are left out. */
const monochromatorOf = (optics: string | null | undefined): string | undefined =>
  optics?.includes('Ge(') ? words(optics.replace('@', '')) : undefined;

/** Names of the divergence slit among the axes, for automatic and for mounted slits. */
const SLITS = new Set(['IncidentSlitBox', 'DS']);

/** The opening of the divergence slit: `1.250deg`. */
function slitIn(header: ReadonlyMap<string, string>): string | undefined {
  for (const [key, name] of header)
    if (key.startsWith('MEAS_COND_AXIS_NAME') && SLITS.has(name))
      return words(header.get(key.replace(/NAME(?:_INTERNAL)?/, 'POSITION')));
  return undefined;
}

/** @throws DiffractionError `unreadable-pattern` */
export function readRas(text: string): InstrumentFile {
  const scans: InstrumentScan[] = [];
  let header = new Map<string, string>();
  let last = header;
  let data: string[] | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('*RAS_HEADER_START')) header = new Map();
    else if (line.startsWith('*RAS_INT_START')) data = [];
    else if (line.startsWith('*RAS_INT_END')) {
      if (!data) throw damaged(RAS);
      const axis = words(header.get('MEAS_SCAN_AXIS_X_INTERNAL') ?? header.get('MEAS_SCAN_AXIS_X')) ?? '?';
      const [step, speed, unit] = ['STEP', 'SPEED', 'SPEED_UNIT'].map((key) =>
        header.get(`MEAS_SCAN_${key}`),
      );
      const stepSeconds = secondsOf(step, speed, unit);
      scans.push({
        axis,
        isTwoTheta: isTwoTheta(axis),
        ...columns(data, RAS, rateSeconds(header.get('MEAS_SCAN_UNIT_Y'), stepSeconds)),
        stepSeconds,
      });
      data = undefined;
      last = header;
    } else if (data) data.push(line);
    else {
      const [, key, value] = /^\*([\w-]{1,60}) "([^"]{0,200})"/.exec(line) ?? [];
      if (key !== undefined && value !== undefined) header.set(key, value);
    }
  }
  if (data) throw damaged(RAS);
  return {
    format: RAS,
    scans,
    anode: words(last.get('HW_XG_TARGET_NAME')),
    ...linesOf(
      last.get('MEAS_COND_XG_WAVE_TYPE'),
      ['ALPHA1', 'ALPHA2', 'BETA'].map((line) => last.get(`HW_XG_WAVE_LENGTH_${line}`)),
    ),
    monochromator: monochromatorOf(last.get('MEAS_COND_OPT_NAME')),
    divergenceSlit: slitIn(last),
  };
}

const PROFILE = /^Data(\d{1,4})\/Profile\1\.txt$/;

export const isRasx = (names: readonly string[]): boolean => names.some((name) => PROFILE.test(name));

/** @throws DiffractionError `unreadable-pattern` */
export function readRasx(members: ReadonlyMap<string, Uint8Array>): InstrumentFile {
  const numbers = [...members.keys()]
    .flatMap((name) => PROFILE.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(a) - Number(b));
  const xmlOf = (number: string): string => {
    const bytes = members.get(`Data${number}/MesurementConditions${number}.xml`);
    const text = bytes ? decodeText(bytes) : '';
    if (declaresEntities(text)) throw damaged(RASX);
    return text;
  };
  const scans = numbers.map((number): InstrumentScan => {
    const text = decodeText(members.get(`Data${number}/Profile${number}.txt`)!);
    const scan = inside(xmlOf(number), 'ScanInformation') ?? '';
    const axis = words(inside(scan, 'AxisName')) ?? '?';
    const stepSeconds = secondsOf(inside(scan, 'Step'), inside(scan, 'Speed'), inside(scan, 'SpeedUnit'));
    return {
      axis,
      isTwoTheta: isTwoTheta(axis),
      ...columns(text.split('\n'), RASX, rateSeconds(inside(scan, 'IntensityUnit'), stepSeconds)),
      stepSeconds,
    };
  });
  const first = scans.findIndex((scan) => scan.isTwoTheta);
  const xml = xmlOf(numbers[Math.max(0, first)] ?? '0');
  return {
    format: RASX,
    scans,
    anode: words(inside(xml, 'TargetName')),
    ...linesOf(
      inside(xml, 'WaveType'),
      ['alpha1', 'alpha2', 'beta'].map((line) => inside(xml, `WavelengthK${line}`)),
    ),
    monochromator: monochromatorOf(inside(inside(xml, 'Optics') ?? '', 'Attribute')),
  };
}

const ASC = 'Rigaku ASC';

export const isRigakuAsc = (head: string): boolean => /^\s*\*TYPE\s*=\s*Raw/i.test(head);

/** The anode by atomic number. */
const TARGETS: Readonly<Record<string, string>> = {
  24: 'Cr',
  26: 'Fe',
  27: 'Co',
  29: 'Cu',
  42: 'Mo',
  47: 'Ag',
};

/** Splits a file into its keys and one group for each range of counts. @throws DiffractionError `unreadable-pattern` */
export function readRigakuAsc(text: string): InstrumentFile {
  const file = new Map<string, string>();
  const groups: { readonly keys: Map<string, string>; readonly y: number[] }[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key, value] = /^\*(\w{1,40})\s*=(.{0,200})/.exec(line) ?? [];
    if (key === 'GROUP') groups.push({ keys: new Map(), y: [] });
    if (key !== undefined && value !== undefined) (groups.at(-1)?.keys ?? file).set(key, value.trim());
    else if (!line.startsWith('*') && line.trim() !== '') {
      if (groups.length === 0) groups.push({ keys: file, y: [] });
      // A comma at the end of a line is allowed.
      for (const count of numbersOf(line.replaceAll(',', ' '), ASC)) groups.at(-1)?.y.push(count);
    }
  }
  const isPoleFigure = /polefig/i.test(file.get('CLASS') ?? '');
  const axis = isPoleFigure ? 'pole figure' : (words(file.get('SCAN_AXIS')) ?? '?');
  const scans = groups.map(({ keys, y }): InstrumentScan => {
    if (isPoleFigure || !isTwoTheta(axis)) return { axis, isTwoTheta: false, x: [], y: [] };
    const of = (key: string): string | undefined => keys.get(key) ?? file.get(key);
    const [first, step] = [Number(of('START') || Number.NaN), positive(of('STEP'))];
    if (!Number.isFinite(first) || step === undefined || y.length < Number(of('COUNT') ?? 0))
      throw damaged(ASC);
    const stepSeconds = secondsOf(
      of('STEP'),
      of('SPEED'),
      /^s/i.exec(file.get('SPEED_DIM') ?? '')?.[0] ?? 'deg/min',
    );
    const perCount = 1 / rateSeconds(of('YUNIT')?.toLowerCase(), stepSeconds);
    return {
      axis,
      isTwoTheta: true,
      x: evenAngles(first, step, y.length),
      y,
      perCount: y.map(() => perCount),
      stepSeconds,
    };
  });
  return {
    format: ASC,
    scans: scans.length > 0 ? scans : [{ axis, isTwoTheta: false, x: [], y: [] }],
    anode: TARGETS[file.get('TARGET') ?? ''],
    kAlpha1: positive(file.get('WAVE_LENGTH1')),
    kAlpha2: positive(file.get('WAVE_LENGTH2')),
  };
}
