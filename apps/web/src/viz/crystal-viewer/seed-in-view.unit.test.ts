import { expect, it } from 'vitest';
import { crystalsOutOfView } from './testing/seed-in-view.ts';

// seed-in-view.nightly.ts checks all of them.
it('every fifteenth crystal of the seed fits completely into the view', () => {
  expect(crystalsOutOfView(15)).toEqual([]);
});
