/**
 * Bruker (Siemens, Diffrac) RAW, versions 1 to 4: little-endian headers and single-precision intensities. The
 * manufacturer publishes no description; offsets were checked with the files listed in docs/guide/xrd.md. No file of
 * version 2 was available.
 */
import { damaged } from '../unreadable.ts';
import { evenAngles, type InstrumentFile, type InstrumentScan, positive, words } from './instrument-file.ts';

const FORMAT = 'Bruker RAW';

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Whether a file begins like this family, or like files of other manufacturers that use the name. */
export const isRaw = (bytes: Uint8Array): boolean =>
  latin(bytes.subarray(0, 3)) === 'RAW' && bytes.subarray(0, 256).includes(0);

/** Reads at absolute offsets; a file that ends before an offset counts as cut off. */
class Source {
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private need(at: number, length: number): void {
    if (!(at >= 0 && at + length <= this.bytes.length)) throw damaged(FORMAT);
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
    if (stride < 4) throw damaged(FORMAT);
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
  if (!Number.isFinite(first) || !(step > 0 && step < 180)) throw damaged(FORMAT);
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
  return { format: `${FORMAT} 1`, scans, kAlpha1: wavelength(72), kAlpha2: wavelength(76) };
}

function readVersion2(source: Source): InstrumentFile {
  const scans: InstrumentScan[] = [];
  let at = 256;
  for (let left = source.uint16(4); left > 0; left--) {
    const [length, count] = [source.uint16(at), source.uint16(at + 2)];
    if (length < 48) throw damaged(FORMAT);
    const [seconds, step, first] = [8, 12, 16].map((offset) =>
      Number(source.float32(at + offset).toPrecision(7)),
    ) as [number, number, number];
    scans.push(scanOf('2θ', true, { first, step, seconds, y: source.intensities(at + length, count) }));
    at += length + 4 * count;
  }
  const real = (offset: number): number | undefined => positive(source.float32(offset).toPrecision(7));
  return {
    format: `${FORMAT} 2`,
    scans,
    anode: words(source.text(188, 2)),
    kAlpha1: real(190),
    kAlpha2: real(194),
    kAlphaRatio: real(198),
  };
}

/** Kinds of scans in version 3 that are not over 2θ. */
const OTHER_DRIVES: Readonly<Record<number, string>> = { 3: 'Omega', 4: 'Chi', 5: 'Phi' };

function readVersion3(source: Source): InstrumentFile {
  const scans: InstrumentScan[] = [];
  const ranges = source.uint32(12);
  if (ranges > MAX_RANGES) throw damaged(FORMAT);
  let at = 712;
  for (let left = ranges; left > 0; left--) {
    const [length, count] = [source.uint32(at), source.uint32(at + 4)];
    if (length < 304) throw damaged(FORMAT);
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
    format: `${FORMAT} 3`,
    scans,
    anode: words(source.text(608, 4)),
    kAlpha1: positive(source.float64(624)),
    kAlpha2: positive(source.float64(632)),
    kAlphaRatio: positive(source.float64(648)),
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
      if (length < 8) throw damaged(FORMAT);
      if (kind === HARDWARE) hardware = at;
      at += length;
    }
  }
  if (hardware === undefined) return { format: `${FORMAT} 4`, scans };
  return {
    format: `${FORMAT} 4`,
    scans,
    anode: words(source.text(hardware + 116, 4)),
    kAlpha1: positive(source.float64(hardware + 80)),
    kAlpha2: positive(source.float64(hardware + 88)),
    kAlphaRatio: positive(source.float64(hardware + 104)),
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
