/** The stored form of a calculated pattern, and the search index of the stored patterns of all materials. */
import type { Structure } from '@unitcell/crystal';
import type { Mat3 } from '@unitcell/numerics';
import { DiffractionError } from './diffraction-error.ts';
import { type Probe, REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';
import { reflections } from './structure-factors.ts';

// The compact stored form of a calculated pattern, kept in the database and used to build the search index.
//
// Lattice spacings are stored instead of angles, so the same bytes serve every radiation source. Layout, little endian:
// byte 0 is the format version, byte 1 the number of lines n; n pairs (16-bit spacing code, 16-bit intensity) follow in
// order of falling spacing: at most 2 + 4 × MAX_PACKED_LINES bytes for a material.

/**
 * A reflection below this share of the strongest is forbidden. Rounding leaves about 1e-28, which must not become a
 * line.
 */
const FORBIDDEN_SHARE = 1e-8;

/** Format version in byte 0. */
export const PACKED_PATTERN_VERSION = 1;

/**
 * Range of stored spacings, Å: 2θ from 3.5° to 100.9° for Cu Kα, which includes every strong line of an inorganic
 * powder.
 */
export const PACKED_SPACING_RANGE = { min: 1, max: 25 } as const;

/** Limit of lines stored per material, the strongest first; a stored pattern takes at most 642 bytes. */
export const MAX_PACKED_LINES = 160;

/**
 * Lines whose spacings differ by less than this share are stored as one. 4·10⁻⁴ is 0.017° of 2θ at 40° (Cu Kα),
 * a tenth of the width of a laboratory peak.
 */
export const PACKED_MERGE_RELATIVE = 4e-4;

/** Lines are stored, strongest first, until they carry this share of the total intensity. */
export const PACKED_INTENSITY_SHARE = 0.998;

/** Natural logarithm of the spacing per code step: 4.9·10⁻⁵, an error of at most 0.001° at 40°. */
const LOG_MIN = Math.log(PACKED_SPACING_RANGE.min);
const LOG_STEP = (Math.log(PACKED_SPACING_RANGE.max) - LOG_MIN) / 65535;

export interface PatternLines {
  /** Spacings in Å, falling. */
  readonly dSpacings: ArrayLike<number>;
  /** Integrated intensities at REFERENCE_WAVELENGTH, on any scale. */
  readonly intensities: ArrayLike<number>;
}

/**
 * Packs lines (any order) into the stored form: spacings out of range are left out, close lines are merged at their
 * centre of gravity, and the strongest are kept. The strongest line is stored as 65,535.
 */
export function packPattern(lines: PatternLines): Uint8Array {
  const order: number[] = [];
  for (let i = 0; i < lines.dSpacings.length; i++) {
    const d = lines.dSpacings[i];
    if (d >= PACKED_SPACING_RANGE.min && d <= PACKED_SPACING_RANGE.max && lines.intensities[i] > 0)
      order.push(i);
  }
  order.sort((i, j) => lines.dSpacings[j] - lines.dSpacings[i]);
  const merged: { logD: number; intensity: number }[] = [];
  let groupStart = Number.POSITIVE_INFINITY;
  for (const i of order) {
    const logD = Math.log(lines.dSpacings[i]);
    const intensity = lines.intensities[i];
    const last = merged.at(-1);
    if (last && groupStart - logD < PACKED_MERGE_RELATIVE) {
      last.logD = (last.logD * last.intensity + logD * intensity) / (last.intensity + intensity);
      last.intensity += intensity;
    } else {
      merged.push({ logD, intensity });
      groupStart = logD;
    }
  }
  const total = merged.reduce((sum, line) => sum + line.intensity, 0);
  const strongestFirst = merged.toSorted((a, b) => b.intensity - a.intensity);
  let carried = 0;
  const kept: typeof merged = [];
  for (const line of strongestFirst) {
    if (kept.length >= MAX_PACKED_LINES || carried >= PACKED_INTENSITY_SHARE * total) break;
    carried += line.intensity;
    kept.push(line);
  }
  kept.sort((a, b) => b.logD - a.logD);
  const scale = 65535 / (strongestFirst[0]?.intensity ?? 1);
  const bytes = new Uint8Array(2 + 4 * kept.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = PACKED_PATTERN_VERSION;
  bytes[1] = kept.length;
  for (const [i, line] of kept.entries()) {
    view.setUint16(2 + 4 * i, Math.round((line.logD - LOG_MIN) / LOG_STEP), true);
    view.setUint16(4 + 4 * i, Math.max(1, Math.round(line.intensity * scale)), true);
  }
  return bytes;
}

/**
 * The lines of a stored pattern: spacings in Å (falling) and intensities with the strongest at 100.
 * @throws DiffractionError `bad-pattern` when the bytes are not a stored pattern of this version.
 */
export function unpackPattern(bytes: Uint8Array): { dSpacings: Float64Array; intensities: Float64Array } {
  const count = bytes[1] ?? 0;
  if (bytes[0] !== PACKED_PATTERN_VERSION || bytes.length !== 2 + 4 * count)
    throw new DiffractionError(
      'bad-pattern',
      `${bytes.length} bytes starting with ${bytes[0]}, ${bytes[1]} are not a stored pattern of version ${PACKED_PATTERN_VERSION}: rebuild the patterns`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dSpacings = new Float64Array(count);
  const intensities = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    dSpacings[i] = Math.exp(LOG_MIN + view.getUint16(2 + 4 * i, true) * LOG_STEP);
    intensities[i] = view.getUint16(4 + 4 * i, true) / 655.35;
  }
  return { dSpacings, intensities };
}

/**
 * The stored pattern of a crystal, computed from its reflections at REFERENCE_WAVELENGTH. It has two bytes if no
 * reflection is in range.
 * @throws DiffractionError see `reflections`.
 */
export function packedPatternOf(
  structure: Structure,
  options: { readonly symmetryRotations?: readonly Mat3[]; readonly probe?: Probe | undefined } = {},
): Uint8Array {
  const { min, max } = PACKED_SPACING_RANGE;
  const found = reflections(structure, {
    wavelength: REFERENCE_WAVELENGTH,
    probe: options.probe,
    twoThetaRangeDeg: [twoThetaDegOf(max, REFERENCE_WAVELENGTH), twoThetaDegOf(min, REFERENCE_WAVELENGTH)],
    ...(options.symmetryRotations && { symmetryRotations: options.symmetryRotations }),
  });
  let strongest = 0;
  for (const intensity of found.intensity) strongest = Math.max(strongest, intensity);
  const dSpacings: number[] = [];
  const intensities: number[] = [];
  for (let i = 0; i < found.count; i++) {
    if (found.intensity[i] < FORBIDDEN_SHARE * strongest) continue;
    dSpacings.push(1 / Math.sqrt(found.inverseDSquared[i]));
    intensities.push(found.intensity[i]);
  }
  return packPattern({ dSpacings, intensities });
}

// The search index: the lines of every material on one grid, in flat arrays inside a single buffer.
//
// The grid is uniform in u = ln(1/d), so that an isotropic strain shifts every line by the same number of
// cells. A line is a cell (16 bit) and an amplitude, the square root of its intensity relative to the
// strongest (8 bit). Memory: 8 bytes per material and 3 per line; a stored pattern has at most
// MAX_PACKED_LINES lines, so a material takes at most 488 bytes.
//
// The buffer may be a SharedArrayBuffer, a file read into memory, or a message to a worker: `openPatternIndex` only
// creates views over it. An index is immutable; `updatedPatternIndex` copies it with materials added and removed, so
// that readers of the old index are not affected and a crash leaves no half-written state.

/**
 * Step of the grid in ln(1/d). A strain of 0.4 % is one cell; a laboratory peak of 0.2° is 1.6 cells wide at 60° and
 * 3.5 at 30° (Cu Kα).
 */
export const GRID_STEP = 0.004;

/** Value of ln(1/d) at cell 0. */
export const GRID_ORIGIN = -Math.log(PACKED_SPACING_RANGE.max);

/** Number of cells from the largest to the smallest stored spacing. */
export const GRID_CELLS = Math.ceil((-Math.log(PACKED_SPACING_RANGE.min) - GRID_ORIGIN) / GRID_STEP) + 1;

const MAGIC = 0x58524455;
const FORMAT_VERSION = 1;
const HEADER_WORDS = 6;

export interface PatternIndex {
  readonly buffer: ArrayBufferLike;
  /** Number of materials. */
  readonly count: number;
  /** Material ids in ascending order, below 2³². */
  readonly ids: Uint32Array;
  /** Lines of material i are entries start[i] … start[i + 1] − 1 of `cells` and `amplitudes`. */
  readonly start: Uint32Array;
  readonly cells: Uint16Array;
  /** Amplitudes √(intensity / strongest) × 255, at least 1. */
  readonly amplitudes: Uint8Array;
}

export interface PatternEntry {
  /** An integer from 0 to 2³² − 1. */
  readonly id: number;
  /** The stored form made by `packPattern`. */
  readonly packed: Uint8Array;
}

/** Byte offsets of the sections of a buffer that holds `count` materials with `lines` lines. */
function layout(count: number, lines: number) {
  const ids = 4 * HEADER_WORDS;
  const start = ids + 4 * count;
  const cells = start + 4 * (count + 1);
  const amplitudes = cells + 2 * lines;
  return { ids, start, cells, amplitudes, total: 4 * Math.ceil((amplitudes + lines) / 4) };
}

/**
 * Browsers hide SharedArrayBuffer from pages that are not cross-origin isolated, so even a reference to it may throw.
 */
const isShared = (buffer: ArrayBufferLike | undefined): boolean =>
  typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;

/** An index of the given size whose arrays must still be filled. */
function allocate(count: number, lines: number, shared: boolean): PatternIndex {
  const at = layout(count, lines);
  const buffer = shared ? new SharedArrayBuffer(at.total) : new ArrayBuffer(at.total);
  new Uint32Array(buffer, 0, HEADER_WORDS).set([
    MAGIC,
    FORMAT_VERSION,
    count,
    lines,
    GRID_CELLS,
    Math.round(1 / GRID_STEP),
  ]);
  return openPatternIndex(buffer);
}

/**
 * Creates views over the bytes of an index, in a time independent of its size.
 * @throws DiffractionError `bad-index` when the header or the size is not that of this version.
 */
export function openPatternIndex(buffer: ArrayBufferLike): PatternIndex {
  const [magic, version, count = 0, lines = 0, cells, perUnit] =
    buffer.byteLength >= 4 * HEADER_WORDS ? new Uint32Array(buffer, 0, HEADER_WORDS) : [];
  const at = layout(count, lines);
  const known =
    magic === MAGIC &&
    version === FORMAT_VERSION &&
    cells === GRID_CELLS &&
    perUnit === Math.round(1 / GRID_STEP);
  if (!known || at.total !== buffer.byteLength)
    throw new DiffractionError(
      'bad-index',
      `${buffer.byteLength} bytes are not a pattern index of version ${FORMAT_VERSION}: rebuild it from the stored patterns`,
    );
  return {
    buffer,
    count,
    ids: new Uint32Array(buffer, at.ids, count),
    start: new Uint32Array(buffer, at.start, count + 1),
    cells: new Uint16Array(buffer, at.cells, lines),
    amplitudes: new Uint8Array(buffer, at.amplitudes, lines),
  };
}

interface GridLines {
  readonly id: number;
  readonly cells: ArrayLike<number>;
  readonly amplitudes: ArrayLike<number>;
}

/** Lines on the grid. Lines in one cell add their intensities before the root is taken. */
function gridLines({ id, packed }: PatternEntry): GridLines {
  if (!(Number.isInteger(id) && id >= 0 && id < 2 ** 32))
    throw new DiffractionError(
      'bad-index',
      `material id ${id}: expected a whole number from 0 to ${2 ** 32 - 1}`,
    );
  const { dSpacings, intensities } = unpackPattern(packed);
  const cells: number[] = [];
  const sums: number[] = [];
  for (let i = 0; i < dSpacings.length; i++) {
    const cell = Math.round((-Math.log(dSpacings[i]) - GRID_ORIGIN) / GRID_STEP);
    if (cell === cells.at(-1)) sums[sums.length - 1] += intensities[i];
    else {
      cells.push(cell);
      sums.push(intensities[i]);
    }
  }
  const strongest = sums.reduce((best, value) => Math.max(best, value), 0);
  return {
    id,
    cells,
    amplitudes: sums.map((value) => Math.max(1, Math.round(255 * Math.sqrt(value / strongest)))),
  };
}

function fill(index: PatternIndex, entries: Iterable<GridLines>): PatternIndex {
  const { ids, start, cells, amplitudes } = index;
  let material = 0;
  let line = 0;
  for (const entry of entries) {
    ids[material] = entry.id;
    cells.set(entry.cells, line);
    amplitudes.set(entry.amplitudes, line);
    line += entry.cells.length;
    start[++material] = line;
  }
  return index;
}

/**
 * Builds an index. If several entries have the same id, the last one is used.
 * @throws DiffractionError `bad-index` for an id that is not a 32-bit number, `bad-pattern` for unreadable
 * bytes.
 */
export function buildPatternIndex(
  patterns: Iterable<PatternEntry>,
  options: { readonly shared?: boolean } = {},
): PatternIndex {
  return updatedPatternIndex(undefined, { add: patterns }, options);
}

/**
 * A copy of the index with materials added, replaced (same id) or removed. It takes one pass over the bytes (tens of
 * milliseconds for 300,000 materials) for any number of changes.
 * @throws DiffractionError see `buildPatternIndex`.
 */
export function updatedPatternIndex(
  index: PatternIndex | undefined,
  changes: { readonly add?: Iterable<PatternEntry>; readonly remove?: Iterable<number> },
  options: { readonly shared?: boolean } = {},
): PatternIndex {
  const fresh = new Map<number, GridLines>();
  for (const entry of changes.add ?? []) fresh.set(entry.id, gridLines(entry));
  const gone = new Set<number>(changes.remove ?? []);
  const additions = [...fresh.values()].sort((a, b) => a.id - b.id);
  const order: (GridLines | number)[] = [];
  let next = 0;
  for (let i = 0; i < (index?.count ?? 0); i++) {
    const id = index!.ids[i];
    while (next < additions.length && additions[next].id < id) order.push(additions[next++]);
    if (!gone.has(id) && !fresh.has(id)) order.push(i);
  }
  while (next < additions.length) order.push(additions[next++]);
  let lines = 0;
  for (const entry of order)
    lines += typeof entry === 'number' ? index!.start[entry + 1] - index!.start[entry] : entry.cells.length;
  function* entries(): Generator<GridLines> {
    for (const entry of order) {
      if (typeof entry !== 'number') yield entry;
      else {
        const [from, to] = [index!.start[entry], index!.start[entry + 1]];
        yield {
          id: index!.ids[entry],
          cells: index!.cells.subarray(from, to),
          amplitudes: index!.amplitudes.subarray(from, to),
        };
      }
    }
  }
  return fill(allocate(order.length, lines, options.shared ?? isShared(index?.buffer)), entries());
}
