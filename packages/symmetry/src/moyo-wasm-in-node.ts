/// <reference types="node" />
/**
 * `#moyo-wasm` in Node: the engine's WebAssembly file as installed. The only file of the package that
 * accesses the file system; browser bundles use `moyo-wasm.ts` instead.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const moyoWasm = (): Uint8Array | null =>
  readFileSync(createRequire(import.meta.url).resolve('@spglib/moyo-wasm/moyo_wasm_bg.wasm'));
