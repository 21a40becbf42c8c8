import { describe } from 'vitest';
import { apiInstances } from './testing/instances-cases.ts';

describe('eight concurrent matches', () => {
  apiInstances(8, 10);
});
