import { expect, it } from 'vitest';
import { SEARCH_KERNEL } from '../../../packages/diffraction/src/data/search-kernel.ts';
import { HERMITIAN_KERNEL } from '../../../packages/numerics/src/data/hermitian-kernel.ts';
import { NETWORK_KERNEL } from '../../../packages/prediction/src/data/network-kernel.ts';
import {
  compileHermitianKernel,
  compileNetworkKernel,
  compileSearchKernel,
} from '../compile-assemblyscript.ts';

it.each([
  ['pattern search', SEARCH_KERNEL, compileSearchKernel],
  ['Hermitian eigenvalues', HERMITIAN_KERNEL, compileHermitianKernel],
  ['predicting network', NETWORK_KERNEL, compileNetworkKernel],
])('the committed kernel of the %s is identical to the compiled source', (_, committed, compile) => {
  expect(Buffer.from(committed).equals(compile())).toBe(true);
});
