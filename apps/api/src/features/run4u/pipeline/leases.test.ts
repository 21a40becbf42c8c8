import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from '../testing/worker-fixture.ts';
import { leasesRepository, type LeasesRepository } from './leases.repository.ts';

let fixture: WorkerFixture;
let leases: LeasesRepository;
beforeAll(async () => {
  fixture = await openWorkerFixture();
  leases = leasesRepository(fixture.database);
});
afterAll(() => fixture.close());

it('a submission whose worker died is claimed before waiting ones, and its new lease invalidates the old one', async () => {
  const id = await fixture.submit();
  const old = (await leases.claim('worker', ['']))!;
  await fixture.expireLeases();
  await fixture.submit();
  // The worker may be the same: it paused for longer than its lease.
  const fresh = (await leases.claim('worker', ['']))!;
  expect([old.id, fresh.id, fresh.attempt]).toEqual([id, id, old.attempt + 1]);
  expect([await leases.extend(old), await leases.save(old, 'relax', old.state)]).toEqual([false, false]);
  expect(await leases.extend(fresh)).toBe(true);
});

it('folders are kept while a submission is open, and for two weeks after it failed or was cancelled', async () => {
  const ended = async (status: string, days: number): Promise<number> => {
    const id = await fixture.submit();
    const query =
      "UPDATE submission SET status = $2, finished_at = now() - $3 * interval '1 day' WHERE id = $1";
    await fixture.database.pool.query(query, [id, status, days]);
    return id;
  };
  const open = await fixture.submit();
  const kept = [await ended('failed', 13), await ended('cancelled', 13)];
  const gone = [await ended('failed', 15), await ended('cancelled', 15), await ended('finished', 0)];
  const needed = await leases.needFolders([open, ...kept, ...gone, 999_999]);
  expect(needed.toSorted((a, b) => a - b)).toEqual([open, ...kept]);
});
