/**
 * Bruker (Siemens, Diffrac) RAW, versions 1 to 4: little-endian headers and single-precision intensities. The
 * manufacturer publishes no description; offsets were checked with the files listed in docs/guide/xrd.md. No file of
 * version 2 was available.
 */
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
import { declaresEntities, inside, xmlAttribute, type XmlElement, xmlElements } from '@unitcell/crystal';
import { decodeText } from '../decode-text.ts';

const RAW = 'Bruker RAW';

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Whether the content is a Bruker RAW file; other manufacturers use the same file name extension. */
export const isRaw = (bytes: Uint8Array): boolean =>
  latin(bytes.subarray(0, 3)) === 'RAW' && bytes.subarray(0, 256).includes(0);

/** Reads at absolute offsets; a file that ends before an offset counts as cut off. */
class Source {
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private need(at: number, length: number): void {
    if (!(at >= 0 && at + length <= this.bytes.length)) throw damaged(RAW);
  }

  uint16(at: number): number {
    this.need(at, 2);
    return this.view.getUint16(at, true);
  }

  uint32(at: number): number {
    this.need(at, 4);
    return this.view.getUint32(at, true);
  }

  float32(at: number): number {
    this.need(at, 4);
    return this.view.getFloat32(at, true);
  }

  float64(at: number): number {
    this.need(at, 8);
    return this.view.getFloat64(at, true);
  }

  text(at: number, length: number): string {
    this.need(at, length);
    return latin(this.bytes.subarray(at, at + length))
      .split('\0')[0]
      .trim();
  }

  /** Reads `count` intensities, each at the beginning of `stride` bytes. */
  intensities(at: number, count: number, stride = 4): Float64Array {
    if (stride < 4) throw damaged(RAW);
    this.need(at, count * stride);
    return Float64Array.from({ length: count }, (_, i) => this.view.getFloat32(at + stride * i, true));
  }
}

/** A file with more ranges than this is not a measurement. */
const MAX_RANGES = 5000;

function scanOf(
  axis: string,
  isTwoTheta: boolean,
  { first, step, y, seconds }: { first: number; step: number; y: Float64Array; seconds: number },
): InstrumentScan {
  if (!Number.isFinite(first) || !(step > 0 && step < 180)) throw damaged(RAW);
  return {
    axis,
    isTwoTheta,
    x: evenAngles(first, step, y.length),
    y,
    stepSeconds: positive(Number(seconds.toPrecision(6))),
  };
}

function readVersion1(source: Source): InstrumentFile {
  const scans: InstrumentScan[] = [];
  const HEADER = 156;
  let at = 0;
  for (let more = true; more && scans.length < MAX_RANGES; ) {
    // Early programs do not repeat the magic bytes before further ranges.
    if (source.text(at, 4) !== 'RAW') at -= 4;
    const count = source.uint32(at + 4);
    const y = source.intensities(at + HEADER, count);
    const [seconds, step, first] = [8, 12, 24].map((offset) => source.float32(at + offset)) as [
      number,
      number,
      number,
    ];
    // Single precision: 0.04 is stored as 0.0399999991.
    const plain = (value: number): number => Number(value.toPrecision(7));
    scans.push(scanOf('2θ', true, { first: plain(first), step: plain(step), y, seconds }));
    more = source.uint32(at + 152) > 0;
    at += HEADER + 4 * count;
  }
  const wavelength = (offset: number): number | undefined => positive(source.float32(offset).toPrecision(7));
  return { format: `${RAW} 1`, scans, kAlpha1: wavelength(72), kAlpha2: wavelength(76) };
}

function readVersion2(source: Source): InstrumentFile {
  const scans: InstrumentScan[] = [];
  let at = 256;
  for (let left = source.uint16(4); left > 0; left--) {
    const [length, count] = [source.uint16(at), source.uint16(at + 2)];
    if (length < 48) throw damaged(RAW);
    const [seconds, step, first] = [8, 12, 16].map((offset) =>
      Number(source.float32(at + offset).toPrecision(7)),
    ) as [number, number, number];
    scans.push(scanOf('2θ', true, { first, step, seconds, y: source.intensities(at + length, count) }));
    at += length + 4 * count;
  }
  const real = (offset: number): number | undefined => positive(source.float32(offset).toPrecision(7));
  return {
    format: `${RAW} 2`,
    scans,
    anode: words(source.text(188, 2)),
    kAlpha1: real(190),
    kAlpha2: real(194),
    kAlphaRatio: ratio(source.float32(198).toPrecision(7)),
  };
}

/**
 * The slit before the sample, by its name in version 3 and UXD: `fix`, or `V6` if it keeps an irradiated length of 6 mm.
 * @param opening of a fixed slit
 */
const slitOf = (name: string | undefined, opening?: string) =>
  /^V\d/.test(name ?? '') ? { divergenceSlit: name, isSlitVariable: true } : { divergenceSlit: opening };

/** Kinds of scans in version 3 that are not over 2θ. */
const OTHER_DRIVES: Readonly<Record<number, string>> = { 3: 'Omega', 4: 'Chi', 5: 'Phi' };

function readVersion3(source: Source): InstrumentFile {
  const scans: InstrumentScan[] = [];
  const ranges = source.uint32(12);
  if (ranges > MAX_RANGES) throw damaged(RAW);
  let at = 712;
  for (let left = ranges; left > 0; left--) {
    const [length, count] = [source.uint32(at), source.uint32(at + 4)];
    if (length < 304) throw damaged(RAW);
    const data = at + length + source.uint32(at + 256);
    const other = OTHER_DRIVES[source.uint32(at + 196)];
    scans.push(
      scanOf(other ?? '2θ', other === undefined, {
        first: source.float64(at + 16),
        step: source.float64(at + 176),
        seconds: source.float32(at + 192),
        y: source.intensities(data, count),
      }),
    );
    at = data + 4 * count;
  }
  return {
    format: `${RAW} 3`,
    scans,
    anode: words(source.text(608, 4)),
    kAlpha1: positive(source.float64(624).toPrecision(7)),
    kAlpha2: positive(source.float64(632).toPrecision(7)),
    kAlphaRatio: ratio(source.float64(648)),
    ...slitOf(ranges > 0 ? source.text(712 + 72, 8) : undefined),
  };
}

const TWO_THETA_SCANS = /coupled|detector|2theta|psd fast/i;

/** Kinds of segments in the header of version 4; a segment has kind, length and content. */
const [HARDWARE, RANGE, OTHER_RANGE] = [30, 0, 160];

function readVersion4(source: Source, size: number): InstrumentFile {
  const scans: InstrumentScan[] = [];
  let hardware: number | undefined;
  let at = 61;
  while (at + 8 <= size && scans.length < MAX_RANGES) {
    const [kind, length] = [source.uint32(at), source.uint32(at + 4)];
    if (kind === RANGE || kind === OTHER_RANGE) {
      const axis = words(source.text(at + 32, 24)) ?? '?';
      const count = source.uint32(at + 88);
      const data = at + 160 + source.uint32(at + 140);
      const stride = source.uint32(at + 136);
      scans.push(
        scanOf(axis, TWO_THETA_SCANS.test(axis), {
          first: source.float64(at + 72),
          step: source.float64(at + 80),
          seconds: source.float32(at + 92),
          y: source.intensities(data, count, stride),
        }),
      );
      at = data + stride * count;
    } else {
      if (length < 8) throw damaged(RAW);
      if (kind === HARDWARE) hardware = at;
      at += length;
    }
  }
  if (hardware === undefined) return { format: `${RAW} 4`, scans };
  return {
    format: `${RAW} 4`,
    scans,
    anode: words(source.text(hardware + 116, 4)),
    kAlpha1: positive(source.float64(hardware + 80).toPrecision(7)),
    kAlpha2: positive(source.float64(hardware + 88).toPrecision(7)),
    kAlphaRatio: ratio(source.float64(hardware + 104)),
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readBrukerRaw(bytes: Uint8Array): InstrumentFile {
  const source = new Source(bytes);
  const magic = latin(bytes.subarray(0, 7));
  if (magic === 'RAW4.00') return readVersion4(source, bytes.length);
  if (magic === 'RAW1.01') return readVersion3(source);
  if (magic.startsWith('RAW2')) return readVersion2(source);
  if (magic.startsWith('RAW ')) return readVersion1(source);
  throw damaged(magic.startsWith('RAW_') ? 'Stoe RAW' : 'RAW');
}

// Bruker BRML: an archive with one XML file for each measurement, `RawData0.xml` and so on.

const BRML = 'Bruker BRML';

const RAW_DATA = /^(?:.{0,100}\/)?RawData(\d{1,6})\.xml$/;

export const isBrml = (names: readonly string[]): boolean => names.some((name) => RAW_DATA.test(name));

/** Index of the first data column of the view with this name; undefined if there is no such view. */
function columnOf(route: string, name: string): number | undefined {
  const view = route
    .split('<RawDataView ')
    .find((part, index) => index > 0 && part.includes(`LogicName="${name}"`));
  const start = view === undefined ? undefined : xmlAttribute(` ${view.slice(0, 200)}`, 'Start');
  return start === undefined ? undefined : Number(start);
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-3;

function scanOfRoute({ body }: XmlElement): InstrumentScan | undefined {
  const rows = xmlElements(body, 'Datum').map((datum) => datum.body.split(',').map(Number));
  if (rows.length === 0) return undefined;
  const scan = inside(body, 'ScanInformation') ?? '';
  const axes = xmlElements(inside(scan, 'ScanAxes') ?? '', 'ScanAxisInfo');
  const axis = axes.findIndex(({ tag }) => xmlAttribute(tag, 'AxisId') === 'TwoTheta');
  const isTwoTheta = axis >= 0 && Number(inside(axes[axis].body, 'Increment')) !== 0;
  const angles = (columnOf(body, 'ScanAxes') ?? 2) + Math.max(0, axis);
  const counts = columnOf(body, 'ScanCounter') ?? rows[0].length - 1;
  const factorsIn = (name: string): number[] => {
    const column = columnOf(body, name);
    return rows.map((row) => (column === undefined ? 1 : row[column]));
  };
  const absorption = factorsIn('AbsorptionFactor');
  // Values that become whole numbers when divided by the absorption are counts, proportional to the measured
  // time.
  const areCounts = rows.every((row, i) => isWhole(row[counts] / absorption[i]));
  const perTime = perMeanTime(areCounts ? factorsIn('MeasuredTime') : absorption.map(() => 1));
  return {
    axis: words(axes.map(({ tag }) => xmlAttribute(tag, 'VisibleName') ?? '?').join('/')) ?? '?',
    isTwoTheta,
    x: rows.map((row) => row[angles] ?? Number.NaN),
    // The stored value already includes attenuators.
    y: rows.map((row, i) => (row[counts] ?? Number.NaN) * perTime[i]),
    ...(areCounts && { perCount: absorption.map((factor, i) => factor * perTime[i]) }),
    stepSeconds: positive(inside(scan, 'TimePerStepEffective')) ?? positive(inside(scan, 'TimePerStep')),
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readBrml(members: ReadonlyMap<string, Uint8Array>): InstrumentFile {
  const numberOf = (name: string): number => Number(RAW_DATA.exec(name)?.[1]);
  const texts = [...members.keys()]
    .filter((name) => RAW_DATA.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map((name) => decodeText(members.get(name)!));
  if (texts.some((text) => declaresEntities(text) || !text.includes('</RawData>'))) throw damaged(BRML);
  const [first = ''] = texts;
  const valueOf = (name: string) => {
    const at = first.indexOf(`<${name} `);
    return at < 0 ? undefined : xmlAttribute(first.slice(at, at + 200), 'Value');
  };
  return {
    format: BRML,
    scans: texts.flatMap((text) =>
      xmlElements(text, 'DataRoute').flatMap((route) => scanOfRoute(route) ?? []),
    ),
    anode: words(inside(first, 'TubeMaterial')),
    kAlpha1: positive(valueOf('WaveLengthAlpha1')),
    kAlpha2: positive(valueOf('WaveLengthAlpha2')),
    kAlphaRatio: ratio(valueOf('WaveLengthRatio')),
  };
}

// Bruker UXD: text with `_KEY=value` lines and one block of numbers for each range.

const UXD = 'Bruker UXD';

export const isUxd = (head: string): boolean => /^_FILEVERSION\s*=/m.test(head);

/** Drives along which 2θ moves. */
const TWO_THETA_DRIVES = new Set(['COUPLED', '2THETA', 'UNLOCKED']);

interface UxdRange {
  readonly keys: ReadonlyMap<string, string>;
  /** `COUNTS`, `CPS`, `2THETACOUNTS` or `2THETACPS`. */
  readonly kind: string;
  readonly numbers: number[];
}

function scanOfRange({ keys, kind, numbers }: UxdRange): InstrumentScan {
  const axis = keys.get('DRIVE') ?? 'COUPLED';
  const hasAngles = kind.startsWith('2THETA');
  const [first, step] = [Number(keys.get('START') ?? Number.NaN), positive(keys.get('STEPSIZE'))];
  const isEven = Number.isFinite(first) && step !== undefined;
  if (hasAngles ? numbers.length % 2 !== 0 : !isEven) throw damaged(UXD);
  const y = hasAngles ? numbers.filter((_, i) => i % 2 === 1) : numbers;
  const stepSeconds = positive(keys.get('STEPTIME'));
  return {
    axis,
    isTwoTheta: TWO_THETA_DRIVES.has(axis),
    x: hasAngles ? numbers.filter((_, i) => i % 2 === 0) : evenAngles(first, step ?? 0, numbers.length),
    y,
    ...(kind.endsWith('CPS') && { perCount: y.map(() => 1 / (stepSeconds ?? Number.NaN)) }),
    stepSeconds,
  };
}

/** @throws DiffractionError `unreadable-pattern` */
export function readUxd(text: string): InstrumentFile {
  const ranges: UxdRange[] = [];
  const file = new Map<string, string>();
  let keys = file;
  let open: UxdRange | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith(';') || line.trim() === '') continue;
    const [, key, value] = /^_(\w{1,60})\s*=\s*'?([^']{0,200})/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      if (key === 'DRIVE') {
        open = undefined;
        keys = new Map(file);
      }
      keys.set(key, value.trim());
    } else if (/^_(?:2THETA)?(?:COUNTS|CPS)\s*$/.test(line)) {
      open = { keys, kind: line.slice(1).trim(), numbers: [] };
      ranges.push(open);
    } else if (line.startsWith('_')) throw damaged(UXD);
    else if (open) for (const number of numbersOf(line, UXD)) open.numbers.push(number);
  }
  return {
    format: UXD,
    scans: ranges.map(scanOfRange),
    anode: file.get('ANODE'),
    kAlpha1: positive(file.get('WL1')),
    kAlpha2: positive(file.get('WL2')),
    kAlphaRatio: ratio(file.get('WLRATIO')),
    ...slitOf(ranges[0]?.keys.get('VARDIVERGENCE'), file.get('FIXED_DIVSLIT')),
  };
}
