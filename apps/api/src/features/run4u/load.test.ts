import { describe } from 'vitest';
import { crowd } from './testing/load-cases.ts';

describe('a hundred submissions by forty accounts', () => {
  crowd(40);
});
