import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KERNEL_SIZES } from '../../../packages/diffraction/src/search-bounds.ts';

const SOURCE = 'packages/diffraction/kernel/search-bounds.ts';
const ROOT = new URL('../../../', import.meta.url);

/**
 * Compiles the kernel of the pattern search to WebAssembly, for the sizes that the package uses. The compiler
 * runs as a process, because the types of its library redeclare the globals of JavaScript.
 * @throws Error with the compiler's messages.
 */
export function compileKernel(): Uint8Array {
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-kernel-'));
  const target = join(folder, 'kernel.wasm');
  const sizes = Object.entries(KERNEL_SIZES).flatMap(([name, value]) => ['--use', `${name}=${value}`]);
  try {
    const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--outFile', target];
    execFileSync(process.execPath, [compiler, SOURCE, ...options, ...sizes], {
      cwd: ROOT,
      stdio: 'pipe',
      encoding: 'utf8',
    });
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
