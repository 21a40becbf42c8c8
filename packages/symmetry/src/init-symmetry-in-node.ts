/// <reference types="node" />
/**
 * Node entry `@unitcell/symmetry/node`: finds and reads the engine's WebAssembly file.
 * The only file of the package that may touch the file system; the main entry never imports it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initSymmetry, isSymmetryReady } from './moyo.ts';

/**
 * Makes the package ready for use in Node. Cheap to call again.
 * @example initSymmetryInNode(); analyzeSymmetry(structure)
 */
export function initSymmetryInNode(): void {
  if (isSymmetryReady()) return;
  const path = createRequire(import.meta.url).resolve('@spglib/moyo-wasm/moyo_wasm_bg.wasm');
  initSymmetry(readFileSync(path));
}
