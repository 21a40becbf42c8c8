/**
 * Tests outages of Redis or the replica, at start or later: all other functions work, and the log names the
 * missing part.
 */
import { freePort } from '@unitcell/tools/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from './build-test-app.ts';

/** Statuses of a site without its Redis or replica. */
async function served(test: TestApp): Promise<number[]> {
  const token = await test.signIn();
  const found = await test.post('/api/matdata/search_by_formula/', { include: 'TiO2' }, { token });
  return [found.statusCode, (await test.get('/api/ready')).statusCode];
}

const linesOf = (test: TestApp, part: string) => test.logLines.filter((line) => line.includes(part));

describe('an api that starts without its Redis and its replica', () => {
  let test: TestApp;
  let redis: number;
  beforeAll(async () => {
    redis = await freePort();
    const replica = await freePort();
    test = await buildTestApp({
      env: {
        REDIS_URL: `redis://127.0.0.1:${redis}`,
        DATABASE_READ_URL: `postgresql://u@127.0.0.1:${replica}/u`,
      },
    });
  });
  afterAll(() => test.close());

  it('serves searches and sign-ins', async () => expect(await served(test)).toEqual([200, 200]));

  it('logs each outage once with the name of its setting', async () => {
    const cannot = `Redis at 127.0.0.1:${redis} (REDIS_URL) cannot be used`;
    await expect.poll(() => linesOf(test, cannot)).toHaveLength(1);
    expect(linesOf(test, 'DATABASE_READ_URL').length).toBeGreaterThan(0);
  });
});

describe('addresses for monitoring', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  it('/metrics does not exist without a configured token, and is not a page of the site', async () => {
    const { statusCode, headers } = await test.get('/metrics');
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
