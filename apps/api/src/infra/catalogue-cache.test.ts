import { createTestDatabase } from '@unitcell/tools/test-database';
import { expect, it, vi } from 'vitest';
import { announceCatalogueChange, openCatalogueCaches } from './catalogue-cache.ts';
import { openDatabase } from './database.ts';

it('a change that reaches the replica late clears what was read there meanwhile', async () => {
  const made = await createTestDatabase();
  const database = openDatabase({ databaseUrl: made.url, databaseReadUrl: made.url }, () => undefined);
  let arrive: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const arrived = vi.fn<() => Promise<void>>(
    () =>
      new Promise<void>((resolve, reject) => {
        arrive = resolve;
        fail = reject;
      }),
  );
  const caches = await openCatalogueCaches(made.url, () => undefined, arrived);
  arrive();
  const cache = caches.create<number>(1);
  let replica = 1;
  const read = () => cache.remember('key', async () => replica);
  await announceCatalogueChange(database.db);
  await expect.poll(() => arrived.mock.calls.length).toBe(2);
  fail(new Error('the replica restarts'));
  expect(await read()).toBe(1);
  await expect.poll(() => arrived.mock.calls.length).toBe(3);
  replica = 2;
  arrive();
  await expect.poll(read).toBe(2);
  expect(arrived).toHaveBeenCalledTimes(3);
  await caches.close();
  await database.close();
  await made.drop();
});

it('concurrent calls compute an answer only once, and again only if that fails or the catalogue has changed', async () => {
  const made = await createTestDatabase();
  const database = openDatabase({ databaseUrl: made.url, databaseReadUrl: made.url }, () => undefined);
  const caches = await openCatalogueCaches(made.url, () => undefined);
  const cache = caches.create<string>(1);
  let leave: (error: Error) => void = () => undefined;
  let answer: (value: string) => void = () => undefined;
  const visitor = cache.remember('key', () => new Promise<string>((_, reject) => (leave = reject)));
  const make = vi.fn<() => Promise<string>>(() => new Promise<string>((resolve) => (answer = resolve)));
  const others = [cache.remember('key', make), cache.remember('key', make)];
  await new Promise(setImmediate);
  leave(new Error('the visitor has left'));
  await expect(visitor).rejects.toThrow('the visitor has left');
  const third = cache.remember('key', make);
  let isChanged = false;
  caches.onChange(() => (isChanged = true));
  await announceCatalogueChange(database.db);
  await expect.poll(() => isChanged).toBe(true);
  const next = cache.remember('key', async () => 'new');
  expect(make).toHaveBeenCalledTimes(1);
  answer('old');
  expect(await Promise.all([...others, third, next])).toEqual(['old', 'old', 'old', 'new']);
  expect(await cache.remember('key', async () => 'newer')).toBe('new');
  await caches.close();
  await database.close();
  await made.drop();
});
