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

it('a submission whose worker died is claimed before those that wait, under a lease that ends the old one', async () => {
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
