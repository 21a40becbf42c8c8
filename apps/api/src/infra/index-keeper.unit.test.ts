import { expect, it } from 'vitest';
import { indexKeeper } from './index-keeper.ts';

it('is up to date from a reading on until the catalogue changes, and again when it was read anew', async () => {
  let change: () => void = () => undefined;
  let reads = 0;
  const keeper = indexKeeper<number>({
    name: 'numbers',
    refresh: async () => ({ state: ++reads, milliseconds: 0 }),
    onFresh: () => undefined,
    onCatalogueChange: (callback) => {
      change = callback;
    },
    log: { error: () => undefined },
  });
  expect(keeper.isUpToDate()).toBe(false);
  expect(await keeper.current()).toBe(1);
  await expect.poll(() => keeper.isUpToDate()).toBe(true);
  change();
  expect(keeper.isUpToDate()).toBe(false);
  // What there is goes on serving.
  expect(await keeper.current()).toBe(1);
  await expect.poll(() => keeper.isUpToDate()).toBe(true);
  expect(await keeper.current()).toBe(2);
  keeper.close();
});
