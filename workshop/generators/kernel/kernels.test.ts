import { expect, it } from 'vitest';
import { PATTERN_KERNEL } from '../../../packages/diffraction/src/data/pattern-kernel.ts';
import { SEARCH_KERNEL } from '../../../packages/diffraction/src/data/search-kernel.ts';
import { HERMITIAN_KERNEL } from '../../../packages/numerics/src/data/hermitian-kernel.ts';
import { NETWORK_KERNEL } from '../../../packages/prediction/src/data/network-kernel.ts';
import {
  compileHermitianKernel,
  compileNetworkKernel,
  compilePatternKernel,
  compileSearchKernel,
} from '../compile-assemblyscript.ts';
import { readFileSync } from 'node:fs';
import { openModelInNode } from '@unitcell/potential/node';
import { KERNEL } from '../../../packages/potential/src/data/kernel.ts';
import { compileKernel } from '../potential/kernel-source.ts';

it.each([
  ['pattern search', SEARCH_KERNEL, compileSearchKernel],
  ['refinement', PATTERN_KERNEL, compilePatternKernel],
  ['Hermitian eigenvalues', HERMITIAN_KERNEL, compileHermitianKernel],
  ['predicting network', NETWORK_KERNEL, compileNetworkKernel],
])('the committed kernel of the %s is identical to the compiled source', (_, committed, compile) => {
  expect(Buffer.from(committed).equals(compile())).toBe(true);
});

it('the committed kernels of the potentials are identical to their compiled sources', () => {
  expect(Buffer.from(KERNEL.bytes).equals(compileKernel(openModelInNode().manifest))).toBe(true);
  const file = new URL('../../../packages/potential/model/l3i5/kernel.wasm', import.meta.url);
  expect(readFileSync(file).equals(compileKernel(openModelInNode('sevennet-l3i5').manifest))).toBe(true);
});
