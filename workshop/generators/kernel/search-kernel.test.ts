import { expect, it } from 'vitest';
import { SEARCH_KERNEL } from '../../../packages/diffraction/src/data/search-kernel.ts';
import { compileSearchKernel } from '../compile-assemblyscript.ts';

it('the committed kernel is identical to the compiled source', () => {
  expect(Buffer.from(SEARCH_KERNEL).equals(compileSearchKernel())).toBe(true);
});
