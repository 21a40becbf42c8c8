import { describe } from 'vitest';
import { largeResult } from '../testing/large-result-cases.ts';

/** Three pages and two folders; the last page and the last folder are not full. */
describe('a result of 1,200 rows', () => {
  largeResult(1200);
});
