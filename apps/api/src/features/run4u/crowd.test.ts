import { describe } from 'vitest';
import { crowd } from './testing/crowd-cases.ts';

describe('a hundred submissions by forty accounts', () => {
  crowd(40);
});
