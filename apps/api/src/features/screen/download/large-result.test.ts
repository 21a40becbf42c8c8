import { describe } from 'vitest';
import { largeResult } from '../testing/large-result-cases.ts';

/** Three pages in two folders, the last ones not full. */
describe('a result of 1,200 rows', () => {
  largeResult(1200);
});
