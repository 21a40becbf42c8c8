import { describe } from 'vitest';
import { largeResult } from '../testing/large-result-cases.ts';

describe('a result of 5,500 rows', () => {
  largeResult(5500);
});
