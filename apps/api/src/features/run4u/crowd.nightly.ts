import { describe } from 'vitest';
import { crowd } from './testing/crowd-cases.ts';

describe('a thousand submissions by four hundred accounts', () => {
  crowd(400);
});
