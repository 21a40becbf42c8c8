import { describe } from 'vitest';
import { apiInstances } from './testing/instances-cases.ts';

describe('three concurrent matches', () => {
  apiInstances(3, 2);
});
