import { expect, it } from 'vitest';
import { crystalsOutOfView } from './testing/seed-in-view.ts';

it('no atom of any crystal of the seed lies outside the stage', { timeout: 600_000 }, () => {
  expect(crystalsOutOfView(1)).toEqual([]);
});
