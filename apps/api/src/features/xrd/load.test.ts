import type { MatchProgress, MatchResult } from '@unitcell/contract/xrd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { longestEventLoopLag } from '../../testing/event-loop-lag.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { linesOf, measure } from './testing/synthetic-pattern.ts';

let test: TestApp;
let token: string;
const halite = rockSalt('Na', 'Cl', 5.64);

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [halite, rockSalt('Mg', 'O', 4.212)]);
});
afterAll(() => test.close());

const scan = measure(linesOf(halite));
/** A match with an element filter, which reads the table of materials. */
const filtered = { xrd_data: scan, elements: 'only: Na Cl' };

/**
 * Locks the table of materials, so that matches with an element filter wait until the returned function is
 * called.
 */
async function holdMatches(): Promise<() => Promise<void>> {
  const client = await test.database.pool.connect();
  await client.query('BEGIN; LOCK TABLE material IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query('COMMIT');
    client.release();
  };
}

const call = async <T>(name: string, body: object, language = 'en') =>
  (await test.post(`/api/xrd/${name}/`, body, { token, language })).json<T & { code?: string }>();
const progressOf = (match_id: string, language?: string) =>
  call<MatchProgress>('xrd_progress', { match_id }, language);

describe('twenty concurrent matches', () => {
  it('are queued with their positions, can be cancelled one by one, and are all answered', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `match-number-${i}`);
    const release = await holdMatches();
    const answers = ids.map((match_id) => call<MatchResult>('xrd_match', { ...filtered, match_id }));
    await expect.poll(async () => (await progressOf(ids[19]!)).state).toBe('waiting');

    const last = await progressOf(ids[19]!);
    expect(last).toMatchObject({ position: 19, message: 'Waiting: 19 of your matches come first.' });
    expect((await progressOf(ids[19]!, 'zh')).message).toMatch(/^排队中/);
    expect(['indexing', 'running']).toContain((await progressOf(ids[0]!)).state);
    expect((await call('xrd_match', { xrd_data: scan, match_id: ids[19] })).code).toBe('xrd.match-id-in-use');

    expect(await call('xrd_cancel', { match_id: ids[18] })).toMatchObject({
      error: 'false',
      cancelled: true,
    });
    expect(await answers[18]).toMatchObject({ error: 'true', code: 'xrd.cancelled' });
    expect((await progressOf(ids[19]!)).position).toBe(18);
    await release();
    const others = (await Promise.all(answers)).filter((_, i) => i !== 18);
    expect(others.map((answer) => answer.results[0]?.[2])).toEqual(Array(19).fill('NaCl'));
    expect(others.at(-1)?.waited_seconds).toBeGreaterThan(others[0]!.waited_seconds);
    expect(await progressOf(ids[19]!)).toMatchObject({ state: 'unknown', error: 'false' });
    expect(await call('xrd_cancel', { match_id: ids[19] })).toMatchObject({ cancelled: false });
  });

  it('are invisible to other accounts', async () => {
    const other = await test.signIn('13700000000');
    const release = await holdMatches();
    const running = call<MatchResult>('xrd_match', { ...filtered, match_id: 'mine-and-mine-only' });
    const body = { match_id: 'mine-and-mine-only' };
    const seen = await test.post('/api/xrd/xrd_progress/', body, { token: other });
    expect(seen.json()).toMatchObject({ state: 'unknown' });
    const cancelled = await test.post('/api/xrd/xrd_cancel/', body, { token: other });
    expect(cancelled.json()).toMatchObject({ cancelled: false });
    await release();
    expect((await running).error).toBe('false');
  });

  it('are rejected beyond the queue limit, with the time after which to try again', async () => {
    const release = await holdMatches();
    const retryAfter: unknown[] = [];
    const answers = Array.from({ length: 24 }, async () => {
      const answer = await test.post('/api/xrd/xrd_match/', filtered, { token });
      if (answer.json<{ code?: string }>().code === 'xrd.queue-full')
        retryAfter.push(answer.headers['retry-after']);
      return answer.statusCode;
    });
    // One match runs and twenty wait.
    await expect.poll(() => retryAfter).toEqual(['5', '5', '5']);
    await release();
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status === 429).length).toBe(3);
    expect(statuses.filter((status) => status === 200).length).toBe(21);
  });
});

describe('a closed connection', () => {
  it('cancels its running or waiting match', async () => {
    const address = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const release = await holdMatches();
    const gone = new AbortController();
    const ids = ['left-behind-running', 'left-behind-waiting'];
    const matches = ids.map((match_id) =>
      fetch(`${address}/api/xrd/xrd_match/`, {
        method: 'POST',
        signal: gone.signal,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...filtered, match_id }),
      }).catch(() => 'closed'),
    );
    const states = async () =>
      (await Promise.all(ids.map((id) => progressOf(id)))).map(({ state }) => state).sort();
    await expect.poll(async () => (await states()).includes('waiting')).toBe(true);
    gone.abort();
    expect(await Promise.all(matches)).toEqual(['closed', 'closed']);
    await expect.poll(states).toEqual(['unknown', 'unknown']);
    await release();
  });
});

describe('the event loop', () => {
  const x = Array.from({ length: 20_000 }, (_, i) => Number((5 + i * 0.005).toFixed(3)));
  const fine = measure(linesOf(halite), { range: [5, 105] });
  const xrd_data = { x, y: x.map((_, i) => (fine.y[Math.floor(i / 4)] ?? 0) + (i % 3)) };

  it.each([
    ['xrd_match', { xrd_data }],
    ['xrd_remove_bg', { xrd_data, isNormalize: true }],
    ['xrd_explain', { xrd_data, phases: [{ struct_id: 100_001 }] }],
    ['xrd_get', { struct_id: 100_001, radiation: 'AgKa', two_theta_max: 179 }],
  ])('is not blocked for 50 ms by %s with the most points', async (name, body) => {
    let least = Infinity;
    // One of several runs has to succeed: compilation slows only the first run, but work on the event loop
    // would slow every run.
    for (let round = 0; round < 4 && least >= 50; round++)
      least = await longestEventLoopLag(() => test.post(`/api/xrd/${name}/`, body, { token }));
    expect(least).toBeLessThan(50);
  });
});
