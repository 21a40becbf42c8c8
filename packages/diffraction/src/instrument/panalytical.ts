/** PANalytical: XRDML (XML, schemas 1.0 to 2.x), CSV exports of it, and the older UDF. */
import { declaresEntities, inside, xmlAttribute, type XmlElement, xmlElements } from '@unitcell/crystal';
import {
  evenAngles,
  type InstrumentFile,
  type InstrumentScan,
  numbersOf,
  perMeanTime,
  positive,
  ratio,
  words,
} from './instrument-file.ts';
import { damaged } from '../diffraction-error.ts';

const XRDML = 'PANalytical XRDML';

export const isXrdml = (head: string): boolean => /<xrdMeasurements[\s>]/.test(head);

const isTwoTheta = (axis: string): boolean => axis === 'Gonio' || axis.includes('2Theta');

/** Angles of one scan, from a list or from its two ends. */
function positionsOf(body: string, count: number): ArrayLike<number> {
  const list = inside(body, 'listPositions');
  if (list !== null) {
    const angles = numbersOf(list, XRDML);
    if (angles.length !== count) throw damaged(XRDML);
    return angles;
  }
  const [first, last] = numbersOf(
    `${inside(body, 'startPosition') ?? ''} ${inside(body, 'endPosition') ?? ''}`,
    XRDML,
  );
  if (first === undefined || last === undefined || count < 2) throw damaged(XRDML);
  return evenAngles(first, (last - first) / (count - 1), count);
}

function scanOf({ tag, body }: XmlElement): InstrumentScan {
  const axis = words(xmlAttribute(tag, 'scanAxis')) ?? '?';
  const points = inside(body, 'dataPoints') ?? '';
  const corrected = inside(points, 'intensities');
  const y = numbersOf(corrected ?? inside(points, 'counts') ?? '', XRDML);
  const factors = inside(points, 'beamAttenuationFactors');
  const perCount = y.map(() => 1);
  // <intensities> already include the attenuation, <counts> do not.
  if (factors !== null) {
    const attenuation = numbersOf(factors, XRDML);
    if (attenuation.length !== y.length) throw damaged(XRDML);
    for (const [i, factor] of attenuation.entries()) {
      if (corrected === null) y[i] *= factor;
      perCount[i] *= factor;
    }
  }
  const isRate = /<intensities[^>]{0,100}unit="cps"/.test(points);
  const stepSeconds = positive(inside(points, 'commonCountingTime'));
  const times = inside(points, 'countingTimes');
  if (times !== null) {
    const seconds = numbersOf(times, XRDML);
    if (seconds.length !== y.length || !seconds.every((time) => time > 0)) throw damaged(XRDML);
    // If the counting time changes along the scan, the counts are proportional to it.
    for (const [i, factor] of perMeanTime(seconds).entries()) {
      if (!isRate) y[i] *= factor;
      perCount[i] *= isRate ? 1 / seconds[i] : factor;
    }
  } else if (isRate) for (const i of perCount.keys()) perCount[i] /= stepSeconds ?? Number.NaN;
  const isPowder = isTwoTheta(axis);
  const positions = xmlElements(points, 'positions');
  const scanned = isPowder
    ? positions.find((element) => xmlAttribute(element.tag, 'axis') === '2Theta')
    : positions.find((element) => !element.body.includes('<commonPosition'));
  if (!scanned && isPowder) throw damaged(XRDML);
  return {
    axis,
    isTwoTheta: isPowder,
    x: scanned ? positionsOf(scanned.body, y.length) : [],
    y,
    perCount,
    stepSeconds,
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readXrdml(text: string): InstrumentFile {
  if (declaresEntities(text) || !text.includes('</xrdMeasurements>')) throw damaged(XRDML);
  const wavelengths = inside(text, 'usedWavelength') ?? '';
  const [monochromator] = xmlElements(text, 'monochromator');
  const [slit] = xmlElements(text, 'divergenceSlit');
  const kind = slit && xmlAttribute(slit.tag, 'xsi:type');
  // Files of instruments without a monochromator also contain "K-Alpha 1": it is the wavelength for calculating
  // spacings.
  const namesKAlpha1 = /<usedWavelength[^>]{0,100}intended="K-Alpha 1"/.test(text);
  const isKBeta = /<usedWavelength[^>]{0,100}intended="K-Beta"/.test(text);
  const removesKAlpha2 = /<monochromator[\s>]/.test(inside(text, 'incidentBeamPath') ?? '');
  return {
    format: XRDML,
    scans: xmlElements(text, 'scan').map(scanOf),
    anode: words(inside(text, 'anodeMaterial')),
    ...(isKBeta
      ? { isKBeta, wavelength: positive(inside(wavelengths, 'kBeta')) }
      : {
          kAlpha1: positive(inside(wavelengths, 'kAlpha1')),
          kAlpha2: positive(inside(wavelengths, 'kAlpha2')),
          kAlphaRatio: ratio(inside(wavelengths, 'ratioKAlpha2KAlpha1')),
        }),
    isKAlpha1: namesKAlpha1 && removesKAlpha2,
    isKAlpha2Kept: namesKAlpha1 && !removesKAlpha2,
    monochromator: monochromator && words(xmlAttribute(monochromator.tag, 'name')),
    divergenceSlit: slit && words(xmlAttribute(slit.tag, 'name')),
    isSlitVariable: typeof kind === 'string' && !kind.startsWith('fixed'),
  };
}

// Philips (PANalytical) UDF: lines `Key, value, /`, then the counts after `RawScan`.

const UDF = 'Philips UDF';

export const isUdf = (head: string): boolean =>
  head.startsWith('SampleIdent,') || /^DataAngleRange,/m.test(head);

/** @throws DiffractionError `unreadable-pattern` */
export function readUdf(text: string): InstrumentFile {
  const [header = '', data] = text.split(/^RawScan[ \t]*$/m);
  if (data === undefined) throw damaged(UDF);
  const keys = new Map<string, string>();
  for (const line of header.split('\n')) {
    const [, key, value] = /^(\w{1,40}),([^/\r]{0,200})/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) keys.set(key, value.replace(/,\s*$/, '').trim());
  }
  const [first, last] = (keys.get('DataAngleRange') ?? '').split(',').map(Number);
  const step = positive(keys.get('ScanStepSize'));
  const y = numbersOf(data.split('/', 1)[0].replaceAll(',', ' '), UDF);
  if (first === undefined || last === undefined || step === undefined) throw damaged(UDF);
  // Some programs omit the last point of the range.
  if (!(y.length >= Math.round((last - first) / step) - 1)) throw damaged(UDF);
  const slit = words(keys.get('DivergenceSlit'));
  return {
    format: UDF,
    scans: [
      {
        axis: '2θ',
        isTwoTheta: true,
        x: evenAngles(first, step, y.length),
        y,
        stepSeconds: positive(keys.get('ScanStepTime')),
      },
    ],
    anode: words(keys.get('Anode')),
    kAlpha1: positive(keys.get('LabdaAlpha1')),
    kAlpha2: positive(keys.get('LabdaAlpha2')),
    kAlphaRatio: ratio(keys.get('RatioAlpha21')),
    divergenceSlit: slit,
    isSlitVariable: /^auto/i.test(slit ?? ''),
  };
}

// PANalytical CSV: lines `key,value`, then columns under their names.

const CSV = 'PANalytical CSV';

const CSV_COLUMNS = /^(Angle *,.{0,99})$/m;

export const isPanalyticalCsv = (text: string): boolean =>
  text.startsWith('[Measurement conditions]') && CSV_COLUMNS.test(text);

/** @throws DiffractionError `unreadable-pattern` */
export function readPanalyticalCsv(text: string): InstrumentFile {
  const [header = '', names = '', data = ''] = text.split(CSV_COLUMNS);
  const keys = new Map<string, string>();
  for (const line of header.split('\n')) {
    const [, key, value] = /^([^,]{1,40}),([^\r]{1,200})/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) keys.set(key, value.trim());
  }
  const rows = data
    .trim()
    .split('\n')
    .map((line) => numbersOf(line.replaceAll(',', ' '), CSV));
  if (rows.length < Number(keys.get('No. of points') ?? 0)) throw damaged(CSV);
  const columns = names.split(',').map((name) => name.trim());
  const column = (name: string): number[] => rows.map((row) => row[columns.indexOf(name)] ?? Number.NaN);
  const axis = words(keys.get('Scan axis')) ?? '2Theta';
  const slit = words(keys.get('Divergence slit'));
  return {
    format: CSV,
    scans: [
      {
        axis,
        isTwoTheta: isTwoTheta(axis),
        x: column('Angle'),
        y: column('Intensity'),
        ...(columns.includes('ESD') && { sigmas: column('ESD') }),
        stepSeconds: positive(keys.get('Time per step')),
      },
    ],
    anode: words(keys.get('Anode material')),
    kAlpha1: positive(keys.get('K-Alpha1 wavelength')),
    kAlpha2: positive(keys.get('K-Alpha2 wavelength')),
    kAlphaRatio: ratio(keys.get('Ratio K-Alpha2/K-Alpha1')),
    divergenceSlit: slit,
    isSlitVariable: /^auto/i.test(slit ?? ''),
  };
}
