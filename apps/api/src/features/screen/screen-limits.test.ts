/** Tests time limits of screening, for counting in a thread and for reading rows from the database. */
import { materialRows, screenElements, screenMaterials, screenPoints } from '@unitcell/contract/matdata';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';

/** A value that no other timer of the server uses, so that its timer can be recognised. */
const TASK_SECONDS = 7654;

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp({
    env: {
      LIMIT_TASK_SECONDS: String(TASK_SECONDS),
      LIMIT_STATEMENT_SECONDS: '1',
      LIMIT_LOCK_SECONDS: '60',
    },
  });
  token = await test.signIn();
  await storeMaterials(test.database, [rockSalt('Mg', 'O', 4.212, { struct_id: 20, band_gap: 4.45 })]);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => test.close());

const CALLS = [
  [screenMaterials.path, { filter: 'band_gap > 2', facets: ['nsites'] }],
  [screenPoints.path, { x: 'band_gap', y: 'density' }],
  [screenElements.path, { field: 'band_gap' }],
  ['/api/matdata/screen/download/', { filter: 'band_gap > 2', format: 'csv' }],
] as const;

const ask = (path: string, body: object, language = 'en') => test.post(path, body, { token, language });

describe('a screening over its time limit', () => {
  it.each(CALLS)(
    '%s is stopped and refused with a message, and the next request is served',
    async (path, body) => {
      expect((await ask(path, body)).statusCode).toBe(200);
      const { setTimeout: real } = globalThis;
      // The task times out immediately; all other timers run normally.
      vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
        then: (...all: unknown[]) => void,
        ms?: number,
        ...all: unknown[]
      ) => {
        if (ms !== TASK_SECONDS * 1000) return real(then, ms, ...all);
        then(...all);
        return real(() => undefined, 0);
      }) as typeof setTimeout);
      for (const [language, words] of [
        ['en', /a shorter filter/],
        ['zh', /缩短筛选条件/],
      ] as const) {
        const answer = await ask(path, body, language);
        expect(answer.statusCode).toBe(503);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        expect(answer.json()).toMatchObject({ error: 'true', code: 'server.too-costly' });
        expect(answer.json<{ message: string }>().message).toMatch(words);
      }
      vi.restoreAllMocks();
      expect((await ask(path, body)).statusCode).toBe(200);
    },
  );
});

describe('a statement over its time limit', () => {
  it.each([
    [screenMaterials.path, { filter: 'band_gap > 2' }],
    [materialRows.path, { ids: [20] }],
  ] as const)(
    '%s: PostgreSQL cancels the statement, and the answer has a time to retry',
    async (path, body) => {
      expect((await ask(path, body)).statusCode).toBe(200);
      const client = await test.database.pool.connect();
      try {
        // The slowest possible case: the rows stay locked.
        await client.query('BEGIN; LOCK TABLE material_energy IN ACCESS EXCLUSIVE MODE');
        const answer = await ask(path, body);
        expect(answer.statusCode).toBe(503);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        expect(answer.json()).toMatchObject({ error: 'true', code: 'server.busy' });
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    },
  );
});
