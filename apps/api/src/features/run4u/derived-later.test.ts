import { rederiveCatalogue } from '@unitcell/contract/jobs';
import { expect, it, vi } from 'vitest';
import { calculatedMaterials } from '../../catalogue/calculated-materials.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { isFinished, openWorkerFixture } from './testing/worker-fixture.ts';

it('the derivation of windows and electrodes is queued after a calculated material was stored', async () => {
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

it('a result is stored although the export of another site contains a submission with the same number', async () => {
  const fixture = await openWorkerFixture();
  try {
    const id = await fixture.submit();
    const source = { name: 'Unitcell Run4U', id: `run4u-${id}`, licence: 'CC-BY-4.0' };
    const [other] = await storeMaterials(fixture.database, [rockSalt('Mg', 'O', 4.212, { source })]);
    fixture.startRunner();
    const { structId } = await fixture.until(id, isFinished);
    expect(structId).toBe(2_000_000_001);
    expect(await fixture.materials()).toMatchObject([{ struct_id: other }, { struct_id: structId }]);
  } finally {
    await fixture.close();
  }
});
