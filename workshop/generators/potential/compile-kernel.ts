import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelManifest } from '@unitcell/potential';
import { compileAssemblyScript } from '../compile-assemblyscript.ts';
import { kernelSource } from './kernel-source.ts';

const COMMON = new URL('../../../packages/potential/kernel/common.ts', import.meta.url);

/** The kernel of the fast engine for a model, as WebAssembly that imports its memory. */
export function compileKernel(manifest: ModelManifest): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-potential-'));
  const source = join(folder, 'kernel.ts');
  try {
    writeFileSync(source, `${readFileSync(COMMON, 'utf8')}\n${kernelSource(manifest)}`);
    return compileAssemblyScript(source, ['--importMemory']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
