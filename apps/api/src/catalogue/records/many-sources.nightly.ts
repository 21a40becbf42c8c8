import { describe } from 'vitest';
import { mpOverSeed } from './testing/mp-over-seed-cases.ts';

describe('every row of the sample of the Materials Project over the seed', () => {
  mpOverSeed(1);
});
