import { describe } from 'vitest';
import { copiesOfTheApi } from './testing/copies-cases.ts';

describe('eight concurrent matches', () => {
  copiesOfTheApi(8, 10);
});
