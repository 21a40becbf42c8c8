import { describe } from 'vitest';
import { copiesOfTheApi } from './testing/copies-cases.ts';

describe('three concurrent matches', () => {
  copiesOfTheApi(3, 2);
});
