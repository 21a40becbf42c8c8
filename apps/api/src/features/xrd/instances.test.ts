/** Tests two copies of the api behind a round-robin load balancer. */
import type { MatchProgress, MatchResult } from '@unitcell/contract/xrd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { linesOf, measure } from './testing/synthetic-pattern.ts';

const halite = rockSalt('Na', 'Cl', 5.64);

const [matches, pollsOfEach] = process.env.NIGHTLY ? [8, 10] : [3, 2];

describe(`${matches} concurrent matches`, () => {
  let copies: [TestApp, TestApp];
  let tokens: string[];

  beforeAll(async () => {
    const first = await buildTestApp();
    const { databaseUrl: url } = first.config;
    const second = await buildTestApp({
      openDatabaseOf: async () => ({ url, drop: async () => undefined }),
    });
    copies = [first, second];
    tokens = [];
    for (let i = 0; i < matches; i++) tokens.push(await first.signIn(`1380000010${i}`));
    await storeMaterials(first.database, [halite, rockSalt('Mg', 'O', 4.212)]);
  });
  afterAll(async () => {
    await copies[1].close();
    await copies[0].close();
  });

  const call = async <T>(copy: number, name: string, token: string, body: object) =>
    (await copies[copy]!.post(`/api/xrd/${name}/`, body, { token })).json<T & { code?: string }>();
  const idOf = (i: number) => `match-number-${i}`;
  const body = (i: number) => ({
    xrd_data: measure(linesOf(halite)),
    elements: 'only: Na Cl',
    match_id: idOf(i),
  });

  describe('matches on two copies', () => {
    it('can be followed and cancelled through the copy of the api that does not run them', async () => {
      const client = await copies[0].database.pool.connect();
      await client.query('BEGIN; LOCK TABLE material IN ACCESS EXCLUSIVE MODE');
      const answers = tokens.map((token, i) => call<MatchResult>(i % 2, 'xrd_match', token, body(i)));
      const ask = (i: number) =>
        call<MatchProgress>((i + 1) % 2, 'xrd_progress', tokens[i]!, { match_id: idOf(i) });
      for (const i of tokens.keys()) await expect.poll(async () => (await ask(i)).state).not.toBe('unknown');
      const states: string[] = [];
      for (let round = 0; round < pollsOfEach; round++)
        for (const { state } of await Promise.all(tokens.map((_, i) => ask(i)))) states.push(state);
      expect(states.filter((state) => state === 'unknown')).toEqual([]);
      expect(states).toHaveLength(matches * pollsOfEach);
      for (const i of [0, matches - 1]) {
        expect(
          await call((i + 1) % 2, 'xrd_cancel', tokens[i]!, { match_id: idOf(i) }),
          `of match ${i}`,
        ).toMatchObject({ cancelled: true });
        expect(await answers[i]).toMatchObject({ error: 'true', code: 'xrd.cancelled' });
      }
      await client.query('COMMIT');
      client.release();
      const others = await Promise.all(answers.slice(1, -1));
      expect(others.map(({ results }) => results[0]?.[2])).toEqual(Array(matches - 2).fill('NaCl'));
    });
  });
});
