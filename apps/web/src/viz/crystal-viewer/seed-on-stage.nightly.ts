import { expect, it } from 'vitest';
import { crystalsOutsideStage } from './testing/seed-on-stage.ts';

it('no atom of any crystal of the seed lies outside the stage', { timeout: 600_000 }, () => {
  expect(crystalsOutsideStage(1)).toEqual([]);
});
