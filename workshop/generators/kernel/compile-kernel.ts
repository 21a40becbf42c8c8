import { KERNEL_SIZES } from '../../../packages/diffraction/src/search-bounds.ts';
import { compileAssemblyScript } from '../compile-assemblyscript.ts';

/** The kernel of the pattern search as WebAssembly, compiled for the sizes that the package uses. */
export const compileKernel = (): Uint8Array =>
  compileAssemblyScript(
    'packages/diffraction/kernel/search-bounds.ts',
    Object.entries(KERNEL_SIZES).flatMap(([name, value]) => ['--use', `${name}=${value}`]),
  );
