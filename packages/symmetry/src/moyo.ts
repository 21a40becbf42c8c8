/**
 * The only access to moyo, the space-group engine (Rust, compiled to WebAssembly; spglib.github.io/moyo).
 *
 * In Node the engine is loaded on first use. In a browser the host fetches the `.wasm` asset, compiles it and calls
 * `initSymmetry`, because a package opens no connections.
 *
 * This file hides from the rest of the package that moyo throws strings, traps on an empty cell, and uses column-major
 * rotation matrices but row-major lattice bases.
 */
import {
  analyze_cell,
  hall_symbol_entry,
  initSync,
  type MoyoCell,
  type MoyoDataset,
  type MoyoHallSymbolEntry,
  type MoyoSpaceGroupType,
  type MoyoWyckoffPosition,
  space_group_type,
  wyckoff_positions,
} from '@spglib/moyo-wasm';
import { moyoWasm } from '#moyo-wasm';
import { SymmetryError } from './symmetry-error.ts';

/** Bytes of `moyo_wasm_bg.wasm`, or a `WebAssembly.Module` compiled from them (typed `object`: no DOM types here). */
export type SymmetryWasm = ArrayBuffer | Uint8Array | object;

let isReady = false;

/**
 * Passes the engine's WebAssembly module to the package; not needed in Node. Later calls do nothing.
 * @example initSymmetry(bytesOfMoyoWasm)
 */
export function initSymmetry(wasm: SymmetryWasm): void {
  if (isReady) return;
  initSync({ module: wasm as never }); // never: the engine's type is a DOM type, unknown in this package
  isReady = true;
}

/** Runs one call into moyo; anything it throws becomes a `SymmetryError`. */
function call<T>(what: string, run: () => T): T {
  if (!isReady) {
    const wasm = moyoWasm();
    if (wasm === null)
      throw new SymmetryError(
        'not-initialised',
        'the symmetry engine has no WebAssembly module yet: call initSymmetry(bytes) first',
      );
    initSymmetry(wasm);
  }
  try {
    return run();
  } catch (cause) {
    // A string is moyo's own error. An Error is a trap, after which the module's memory is unreliable.
    if (cause instanceof Error)
      throw new SymmetryError(
        'engine-crashed',
        `${what} crashed the symmetry engine (${cause.message}): restart this thread`,
      );
    throw new SymmetryError(
      'analysis-failed',
      `${what} failed: ${String(cause).replace(/^moyo error: /, '')}`,
    );
  }
}

/** moyo's dataset of a cell, in spglib's choice of setting and origin. `symprec` is in Å. */
export const moyoDataset = (cell: MoyoCell, symprec: number): MoyoDataset =>
  call(`the symmetry search at symprec ${symprec} Å`, () =>
    analyze_cell(JSON.stringify(cell), symprec, 'Spglib'),
  );

export const moyoSpaceGroupType = (number: number): MoyoSpaceGroupType =>
  call(`looking up space group ${number}`, () => space_group_type(number));

export const moyoHallSymbol = (hallNumber: number): MoyoHallSymbolEntry =>
  call(`looking up Hall number ${hallNumber}`, () => hall_symbol_entry(hallNumber));

/** The tabulated positions of a setting; the general position is the first. */
export const moyoWyckoffPositions = (hallNumber: number): readonly MoyoWyckoffPosition[] =>
  call(`looking up the Wyckoff positions of Hall number ${hallNumber}`, () => wyckoff_positions(hallNumber));

export type { MoyoCell, MoyoDataset };
