/** PANalytical XRDML: XML, schemas 1.0 to 2.x. */
import { declaresEntities, inside, xmlAttribute, type XmlElement, xmlElements } from '@unitcell/crystal';
import { damaged } from '../unreadable.ts';
import {
  evenAngles,
  type InstrumentFile,
  type InstrumentScan,
  numbersOf,
  positive,
  words,
} from './instrument-file.ts';

const FORMAT = 'PANalytical XRDML';

export const isXrdml = (head: string): boolean => /<xrdMeasurements[\s>]/.test(head);

/** Angles of one scan, from a list or from its two ends. */
function positionsOf(body: string, count: number): ArrayLike<number> {
  const list = inside(body, 'listPositions');
  if (list !== null) {
    const angles = numbersOf(list, FORMAT);
    if (angles.length !== count) throw damaged(FORMAT);
    return angles;
  }
  const [first, last] = numbersOf(
    `${inside(body, 'startPosition') ?? ''} ${inside(body, 'endPosition') ?? ''}`,
    FORMAT,
  );
  if (first === undefined || last === undefined || count < 2) throw damaged(FORMAT);
  return evenAngles(first, (last - first) / (count - 1), count);
}

function scanOf({ tag, body }: XmlElement): InstrumentScan {
  const axis = words(xmlAttribute(tag, 'scanAxis')) ?? '?';
  const points = inside(body, 'dataPoints') ?? '';
  const corrected = inside(points, 'intensities');
  const y = numbersOf(corrected ?? inside(points, 'counts') ?? '', FORMAT);
  const factors = inside(points, 'beamAttenuationFactors');
  // <intensities> already include the attenuation, <counts> do not.
  if (corrected === null && factors !== null) {
    const attenuation = numbersOf(factors, FORMAT);
    if (attenuation.length !== y.length) throw damaged(FORMAT);
    for (const [i, factor] of attenuation.entries()) y[i] *= factor;
  }
  const isTwoTheta = axis === 'Gonio' || axis.includes('2Theta');
  const positions = xmlElements(points, 'positions');
  const scanned = isTwoTheta
    ? positions.find((element) => xmlAttribute(element.tag, 'axis') === '2Theta')
    : positions.find((element) => !element.body.includes('<commonPosition'));
  if (!scanned && isTwoTheta) throw damaged(FORMAT);
  return {
    axis,
    isTwoTheta,
    x: scanned ? positionsOf(scanned.body, y.length) : [],
    y,
    stepSeconds: positive(inside(points, 'commonCountingTime')),
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readXrdml(text: string): InstrumentFile {
  if (declaresEntities(text) || !text.includes('</xrdMeasurements>')) throw damaged(FORMAT);
  const wavelengths = inside(text, 'usedWavelength') ?? '';
  const [monochromator] = xmlElements(text, 'monochromator');
  const [slit] = xmlElements(text, 'divergenceSlit');
  const kind = slit && xmlAttribute(slit.tag, 'xsi:type');
  return {
    format: FORMAT,
    scans: xmlElements(text, 'scan').map(scanOf),
    anode: words(inside(text, 'anodeMaterial')),
    kAlpha1: positive(inside(wavelengths, 'kAlpha1')),
    kAlpha2: positive(inside(wavelengths, 'kAlpha2')),
    kAlphaRatio: positive(inside(wavelengths, 'ratioKAlpha2KAlpha1')),
    isKAlpha1: /<usedWavelength[^>]{0,100}intended="K-Alpha 1"/.test(text),
    monochromator: monochromator && words(xmlAttribute(monochromator.tag, 'name')),
    divergenceSlit: slit && words(xmlAttribute(slit.tag, 'name')),
    isSlitVariable: typeof kind === 'string' && !kind.startsWith('fixed'),
  };
}
