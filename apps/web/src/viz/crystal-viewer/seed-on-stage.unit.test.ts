import { expect, it } from 'vitest';
import { crystalsOutsideStage } from './testing/seed-on-stage.ts';

// seed-on-stage.nightly.ts checks all of them.
it('no atom of every fifteenth crystal of the seed lies outside the stage', () => {
  expect(crystalsOutsideStage(15)).toEqual([]);
});
