/**
 * The search index: the lines of every material on one grid, in flat arrays inside a single buffer.
 *
 * The grid is uniform in u = ln(1/d), so that an isotropic strain shifts every line by the same number of
 * cells. A line is a cell (16 bit) and an amplitude, the square root of its intensity relative to the
 * strongest (8 bit). Memory: 8 bytes per material and 3 per line; a stored pattern has at most
 * MAX_PACKED_LINES lines, so a material takes at most 488 bytes.
 *
 * The buffer may be a SharedArrayBuffer, a file read into memory, or a message to a worker: `openPatternIndex` only
 * creates views over it. An index is immutable; `updatedPatternIndex` copies it with materials added and removed, so
 * that readers of the old index are not affected and a crash leaves no half-written state.
 */
import { DiffractionError } from './diffraction-error.ts';
import { PACKED_SPACING_RANGE, unpackPattern } from './packed-pattern.ts';

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
