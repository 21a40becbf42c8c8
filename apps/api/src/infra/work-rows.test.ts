/**
 * Tests shared pieces of work: each piece is done once, results keep their order, and the failure of one piece
 * ends the whole line.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../testing/open-test-database.ts';
import type { Database } from './database.ts';
import { shareOut } from './work-rows.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const inputs = Array.from({ length: 7 }, (_, at) => ({ at }));

it('each piece is done once and the results keep their order, in any order of execution', async () => {
  const taken: number[] = [];
  // The first piece ends only after another piece has run, so sequential work would wait forever.
  let other: () => void = () => undefined;
  const another = new Promise<void>((done) => {
    other = done;
  });
  const answers = await shareOut(
    database.db,
    {
      kind: 'hulls',
      inputs,
      async doTask({ at }) {
        taken.push(at);
        if (at === 0) await another;
        else other();
        return { square: at * at };
      },
    },
    async () => undefined,
  );
  expect(answers).toEqual(inputs.map(({ at }) => ({ square: at * at })));
  expect(taken.toSorted((a, b) => a - b)).toEqual(inputs.map(({ at }) => at));
});

it('after a piece failed, all pieces of the same task fail once no piece is running', async () => {
  let underWay = 0;
  const shared = shareOut(
    database.db,
    {
      kind: 'windows',
      inputs,
      async doTask({ at }) {
        underWay++;
        try {
          await database.pool.query('SELECT 1');
          if (at === 2) throw new Error('piece 2 cannot be done');
          return { at };
        } finally {
          underWay--;
        }
      },
    },
    async () => undefined,
  );
  await expect(shared).rejects.toThrow('piece 2 cannot be done');
  expect(underWay).toBe(0);
});
