/** Concurrent submissions by many accounts, and twenty workers that run them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { leasesRepository } from './pipeline/leases.repository.ts';
import { submissionsRepository } from './submissions.repository.ts';
import { LITHIUM_FLUORIDE } from './testing/worker-fixture.ts';

const LIMIT = 3;

/** Must be even: half of the accounts submit once, the other half four times. */
const accounts = process.env.NIGHTLY ? 400 : 40;

describe(`submissions by ${accounts} accounts`, () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.pool.query(
      `INSERT INTO account (id, username) SELECT n, 'user' || n FROM generate_series(1, ${accounts}) AS n`,
    );
  });
  afterAll(() => database.close());

  describe('many concurrent submitters', () => {
    /** Half of the accounts submit once, the other half four times. */
    const asking = Array.from({ length: accounts }, (_, i) =>
      Array<number>(i % 2 === 0 ? 1 : 4).fill(i + 1),
    ).flat();

    it('get no more and no fewer submissions than their quota', async () => {
      const { insertWithinQuota } = submissionsRepository(database);
      const ids = await Promise.all(
        asking.map((accountId) =>
          insertWithinQuota(
            {
              accountId,
              formula: 'LiF',
              spaceGroup: 'Fm-3m',
              structure: LITHIUM_FLUORIDE,
              nSites: 2,
              structId: null,
              method: '',
              state: {},
            },
            LIMIT,
            'Asia/Shanghai',
          ),
        ),
      );
      const accepted = ids.filter((id) => id !== null);
      expect(accepted).toHaveLength((accounts / 2) * (1 + LIMIT));
      expect(new Set(accepted).size).toBe(accepted.length);
      const { rows } = await database.pool.query(
        'SELECT count(*)::int AS stored, max(n)::int AS most FROM (SELECT count(*) AS n FROM submission GROUP BY account_id) AS own',
      );
      expect(rows[0]).toEqual({ stored: accounts, most: LIMIT });
    });

    it('are served by twenty workers without losing or repeating a submission', async () => {
      const { claim } = leasesRepository(database);
      const taken: number[] = [];
      await Promise.all(
        Array.from({ length: 20 }, async (_, worker) => {
          for (;;) {
            const submission = await claim(`worker ${worker}`, ['']);
            if (!submission) return;
            taken.push(submission.id);
          }
        }),
      );
      expect(taken).toHaveLength((accounts / 2) * (1 + LIMIT));
      expect(new Set(taken).size).toBe(taken.length);
    });

    it('are served in turns: the first submission of every account starts before the second of any', async () => {
      await database.pool.query(
        "UPDATE submission SET status = 'queued', lease_owner = NULL, lease_until = NULL, attempt = 0",
      );
      const { claim } = leasesRepository(database);
      const firsts = new Set<number | undefined>();
      for (let n = 0; n < accounts; n++) firsts.add((await claim('worker', ['']))?.accountId);
      expect(firsts.size).toBe(accounts);
    });
  });
});
