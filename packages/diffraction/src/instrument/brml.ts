/** Bruker BRML: an archive with one XML file for each measurement, `RawData0.xml` and so on. */
import { declaresEntities, inside, xmlAttribute, type XmlElement, xmlElements } from '@unitcell/crystal';
import { decodeText } from '../decode-text.ts';
import { damaged } from '../unreadable.ts';
import { type InstrumentFile, type InstrumentScan, positive, words } from './instrument-file.ts';

const FORMAT = 'Bruker BRML';

const RAW_DATA = /^(?:.{0,100}\/)?RawData(\d{1,6})\.xml$/;

export const isBrml = (names: readonly string[]): boolean => names.some((name) => RAW_DATA.test(name));

/** Index at which a column of the data begins, from the view of this name. */
function columnOf(route: string, name: string): number | undefined {
  const view = route
    .split('<RawDataView ')
    .find((part, index) => index > 0 && part.includes(`LogicName="${name}"`));
  const start = view === undefined ? undefined : xmlAttribute(` ${view.slice(0, 200)}`, 'Start');
  return start === undefined ? undefined : Number(start);
}

function scanOf({ body }: XmlElement): InstrumentScan | undefined {
  const rows = xmlElements(body, 'Datum').map((datum) => datum.body.split(',').map(Number));
  if (rows.length === 0) return undefined;
  const scan = inside(body, 'ScanInformation') ?? '';
  const axes = xmlElements(inside(scan, 'ScanAxes') ?? '', 'ScanAxisInfo');
  const axis = axes.findIndex(({ tag }) => xmlAttribute(tag, 'AxisId') === 'TwoTheta');
  const isTwoTheta = axis >= 0 && Number(inside(axes[axis].body, 'Increment')) !== 0;
  const angles = (columnOf(body, 'ScanAxes') ?? 2) + Math.max(0, axis);
  const counts = columnOf(body, 'ScanCounter') ?? rows[0].length - 1;
  return {
    axis: words(axes.map(({ tag }) => xmlAttribute(tag, 'VisibleName') ?? '?').join('/')) ?? '?',
    isTwoTheta,
    x: rows.map((row) => row[angles] ?? Number.NaN),
    // The stored value already includes attenuators.
    y: rows.map((row) => row[counts] ?? Number.NaN),
    stepSeconds: positive(inside(scan, 'TimePerStepEffective')) ?? positive(inside(scan, 'TimePerStep')),
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readBrml(members: ReadonlyMap<string, Uint8Array>): InstrumentFile {
  const numberOf = (name: string): number => Number(RAW_DATA.exec(name)?.[1]);
  const texts = [...members.keys()]
    .filter((name) => RAW_DATA.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map((name) => decodeText(members.get(name)!).text);
  if (texts.some((text) => declaresEntities(text) || !text.includes('</RawData>'))) throw damaged(FORMAT);
  const [first = ''] = texts;
  const wavelength = (name: string): number | undefined => {
    const at = first.indexOf(`<${name} `);
    return at < 0 ? undefined : positive(xmlAttribute(first.slice(at, at + 200), 'Value'));
  };
  return {
    format: FORMAT,
    scans: texts.flatMap((text) => xmlElements(text, 'DataRoute').flatMap((route) => scanOf(route) ?? [])),
    anode: words(inside(first, 'TubeMaterial')),
    kAlpha1: wavelength('WaveLengthAlpha1'),
    kAlpha2: wavelength('WaveLengthAlpha2'),
    kAlphaRatio: wavelength('WaveLengthRatio'),
  };
}
