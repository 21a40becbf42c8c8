import { expect, it } from 'vitest';
import { indexRefresher } from './index-refresher.ts';

it('the state is up to date until the catalogue changes, and again after the next refresh', async () => {
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
  // The existing state is still used.
  expect(await refresher.current()).toBe(1);
  await expect.poll(() => refresher.isUpToDate()).toBe(true);
  expect(await refresher.current()).toBe(2);
  refresher.close();
});
