import { rederiveCatalogue } from '@unitcell/contract/jobs';
import { expect, it, vi } from 'vitest';
import { calculatedMaterials } from '../../catalogue/calculated-materials.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { isFinished, openWorkerFixture } from './testing/worker-fixture.ts';

it('a worker is asked to derive windows and electrodes with a calculated material', async () => {
  const fixture = await openWorkerFixture();
  try {
    const enqueue = vi.fn<JobQueue['enqueue']>(async () => undefined);
    fixture.startRunner({ catalogue: calculatedMaterials(fixture.database, { enqueue }, 'PBE (MP 2018)') });
    await fixture.until(await fixture.submit(), isFinished);
    expect(enqueue).toHaveBeenCalledExactlyOnceWith(rederiveCatalogue, {}, { delaySeconds: 10 });
  } finally {
    await fixture.close();
  }
});
