import { describe } from 'vitest';
import { mpOverSeed } from './testing/mp-over-seed-cases.ts';

describe('all rows of the Materials Project sample, imported after the seed', () => {
  mpOverSeed(1);
});
