/** Rigaku: RAS (text), RASX (an archive of text and XML), and the older ASC of which only headers are known. */
import { declaresEntities, inside } from '@unitcell/crystal';
import { decodeText } from '../decode-text.ts';
import { damaged } from '../unreadable.ts';
import { type InstrumentFile, type InstrumentScan, numbersOf, positive, words } from './instrument-file.ts';

const RAS = 'Rigaku RAS';
const RASX = 'Rigaku RASX';

export const isRas = (head: string): boolean => /^\s*\*RAS_(?:DATA|HEADER)_START/.test(head);

const isTwoTheta = (axis: string): boolean => /^(?:two|2)-?theta/i.test(axis);

/** Angle, intensity and attenuation of each line. */
function columns(lines: readonly string[], format: string): { x: number[]; y: number[] } {
  const x: number[] = [];
  const y: number[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    const [angle, counts, attenuation = 1] = numbersOf(line, format);
    if (angle === undefined || counts === undefined) throw damaged(format);
    x.push(angle);
    y.push(counts * attenuation);
  }
  return { x, y };
}

/** Seconds of a step of a continuous scan. */
function secondsOf(
  step: string | null | undefined,
  speed: string | null | undefined,
  unit: string | null | undefined,
) {
  const [degrees, degreesPerMinute] = [positive(step), positive(speed)];
  return unit === 'deg/min' && degrees && degreesPerMinute
    ? Number(((60 * degrees) / degreesPerMinute).toPrecision(4))
    : undefined;
}

/** Crystals before the sample; the mirror and slits that the names also list are left out. */
const monochromatorOf = (optics: string | null | undefined): string | undefined =>
  optics?.includes('Ge(') ? words(optics.replace('@', '')) : undefined;

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
      scans.push({
        axis,
        isTwoTheta: isTwoTheta(axis),
        ...columns(data, RAS),
        stepSeconds: secondsOf(step, speed, unit),
      });
      data = undefined;
      last = header;
    } else if (data) data.push(line);
    else {
      const [, key, value] = /^\*(\w{1,60}) "([^"]{0,200})"/.exec(line) ?? [];
      if (key !== undefined && value !== undefined) header.set(key, value);
    }
  }
  if (data) throw damaged(RAS);
  return {
    format: RAS,
    scans,
    anode: words(last.get('HW_XG_TARGET_NAME')),
    kAlpha1: positive(last.get('HW_XG_WAVE_LENGTH_ALPHA1')),
    kAlpha2: positive(last.get('HW_XG_WAVE_LENGTH_ALPHA2')),
    monochromator: monochromatorOf(last.get('MEAS_COND_OPT_NAME')),
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
    const text = bytes ? decodeText(bytes).text : '';
    if (declaresEntities(text)) throw damaged(RASX);
    return text;
  };
  const scans = numbers.map((number): InstrumentScan => {
    const { text } = decodeText(members.get(`Data${number}/Profile${number}.txt`)!);
    const scan = inside(xmlOf(number), 'ScanInformation') ?? '';
    const axis = words(inside(scan, 'AxisName')) ?? '?';
    return {
      axis,
      isTwoTheta: isTwoTheta(axis),
      ...columns(text.split('\n'), RASX),
      stepSeconds: secondsOf(inside(scan, 'Step'), inside(scan, 'Speed'), inside(scan, 'SpeedUnit')),
    };
  });
  const first = scans.findIndex((scan) => scan.isTwoTheta);
  const xml = xmlOf(numbers[Math.max(0, first)] ?? '0');
  return {
    format: RASX,
    scans,
    anode: words(inside(xml, 'TargetName')),
    kAlpha1: positive(inside(xml, 'WavelengthKalpha1')),
    kAlpha2: positive(inside(xml, 'WavelengthKalpha2')),
    monochromator: monochromatorOf(inside(inside(xml, 'Optics') ?? '', 'Attribute')),
  };
}

export const isRigakuAsc = (head: string): boolean => /^\s*\*TYPE\s*=\s*Raw/i.test(head);

/** The scan of an ASC file, refused unless it is one over 2θ. @throws DiffractionError `unreadable-pattern` */
export function readRigakuAsc(text: string): InstrumentFile {
  const valueOf = (key: string): string | undefined =>
    words(new RegExp(`^\\*${key}\\s*=([^\\r\\n]{0,100})`, 'm').exec(text)?.[1]);
  const isPoleFigure = /polefig/i.test(valueOf('CLASS') ?? '');
  const axis = isPoleFigure ? 'pole figure' : (valueOf('SCAN_AXIS') ?? '?');
  if (isPoleFigure || !isTwoTheta(axis))
    return { format: 'Rigaku ASC', scans: [{ axis, isTwoTheta: false, x: [], y: [] }] };
  throw damaged('Rigaku ASC');
}
