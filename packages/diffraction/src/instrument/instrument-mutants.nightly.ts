import { expect, it } from 'vitest';
import { readMutants } from '../testing/instrument-mutants.ts';

it('100,000 mutants of the files of instruments give a pattern or a typed refusal', () => {
  const { read, refused } = readMutants(100_000);
  expect(Math.min(read, refused)).toBeGreaterThan(10_000);
}, 600_000);
