import { expect, it } from 'vitest';
import { SEARCH_KERNEL } from '../../../packages/diffraction/src/data/search-kernel.ts';
import { compileKernel } from './compile-kernel.ts';

it('the committed kernel is identical to the compiled source', () => {
  expect(Buffer.from(SEARCH_KERNEL).equals(compileKernel())).toBe(true);
});
