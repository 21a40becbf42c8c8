import { describe } from 'vitest';
import { crowd } from './testing/load-cases.ts';

describe('a thousand submissions by four hundred accounts', () => {
  crowd(400);
});
