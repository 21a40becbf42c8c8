import { expect, it } from 'vitest';
import { crystalsOutOfView } from './testing/seed-in-view.ts';

// seed-in-view.nightly.ts checks all of them.
it('no atom of every fifteenth crystal of the seed lies outside the stage', () => {
  expect(crystalsOutOfView(15)).toEqual([]);
});
