import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KERNEL_SIZES } from '../../packages/diffraction/src/search-candidates.ts';

const ROOT = new URL('../../', import.meta.url);

/**
 * Compiles an AssemblyScript source (a path) to WebAssembly with 128-bit vectors. The compiler is a process, because
 * the types of its library redeclare the globals of JavaScript. @throws Error with the compiler's messages
 */
export function compileAssemblyScript(source: string, options: readonly string[] = []): Uint8Array {
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-kernel-'));
  const target = join(folder, 'kernel.wasm');
  const fixed = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--outFile', target];
  try {
    execFileSync(process.execPath, [compiler, source, ...fixed, ...options], {
      cwd: ROOT,
      stdio: 'pipe',
      encoding: 'utf8',
    });
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LAYERS = new URL('../../packages/numerics/kernel/layers.ts', import.meta.url);

/** Compiles the shared layers of networks with these sources; the result imports its memory. */
export function compileLayers(...sources: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-layers-'));
  const source = join(folder, 'kernel.ts');
  try {
    writeFileSync(source, [readFileSync(LAYERS, 'utf8'), ...sources].join('\n'));
    return compileAssemblyScript(source, ['--importMemory']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const BYTES_PER_ROW = 32;

export const byteRows = (bytes: Uint8Array): string =>
  Array.from(
    { length: Math.ceil(bytes.length / BYTES_PER_ROW) },
    (_, row) => `  ${bytes.subarray(row * BYTES_PER_ROW, (row + 1) * BYTES_PER_ROW).join(', ')},`,
  ).join('\n');

/** The kernel of the pattern search as WebAssembly, compiled for the sizes that the package uses. */
export const compileSearchKernel = (): Uint8Array =>
  compileAssemblyScript(
    'packages/diffraction/kernel/search-bounds.ts',
    Object.entries(KERNEL_SIZES).flatMap(([name, value]) => ['--use', `${name}=${value}`]),
  );

/** The kernel of the refinement as WebAssembly. */
export const compilePatternKernel = (): Uint8Array =>
  compileAssemblyScript('packages/diffraction/kernel/pattern.ts', ['--importMemory']);

/** The kernel of the predicting network as WebAssembly. */
export const compileNetworkKernel = (): Uint8Array =>
  compileLayers(
    readFileSync(new URL('../../packages/prediction/kernel/messages.ts', import.meta.url), 'utf8'),
  );

/** The kernel of Hermitian eigenvalues as WebAssembly. */
export const compileHermitianKernel = (): Uint8Array =>
  compileAssemblyScript('packages/numerics/kernel/hermitian.ts', ['--importMemory']);
