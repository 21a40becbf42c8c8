import { expect, it } from 'vitest';
import { indexRefresher } from './index-refresher.ts';

it('is up to date from a reading on until the catalogue changes, and again when it was read anew', async () => {
  let change: () => void = () => undefined;
  let reads = 0;
  const refresher = indexRefresher<number>({
    name: 'numbers',
    refresh: async () => ({ state: ++reads, milliseconds: 0 }),
    onFresh: () => undefined,
    onCatalogueChange: (callback) => {
      change = callback;
    },
    log: { error: () => undefined },
  });
  expect(refresher.isUpToDate()).toBe(false);
  expect(await refresher.current()).toBe(1);
  await expect.poll(() => refresher.isUpToDate()).toBe(true);
  change();
  expect(refresher.isUpToDate()).toBe(false);
  // What there is goes on serving.
  expect(await refresher.current()).toBe(1);
  await expect.poll(() => refresher.isUpToDate()).toBe(true);
  expect(await refresher.current()).toBe(2);
  refresher.close();
});
