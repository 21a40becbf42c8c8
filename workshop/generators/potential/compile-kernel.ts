import { readFileSync } from 'node:fs';
import type { ModelManifest } from '@unitcell/potential';
import { compileLayers } from '../compile-assemblyscript.ts';
import { kernelSource } from './kernel-source.ts';

const COMMON = new URL('../../../packages/potential/kernel/common.ts', import.meta.url);

/** The kernel of the fast engine for a model, as WebAssembly that imports its memory. */
export const compileKernel = (manifest: ModelManifest): Uint8Array =>
  compileLayers(readFileSync(COMMON, 'utf8'), kernelSource(manifest));
