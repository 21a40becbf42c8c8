/** Joins Run4U to the catalogue: its results take the path of every import. For worker.ts, and for its tests. */
import { rederiveCatalogue } from '@unitcell/contract';
import { type MaterialDraft, NO_NAMES, RefusedUnit } from './features/catalogue/draft/material-draft.ts';
import { hullRepository } from './features/catalogue/hull.repository.ts';
import { materialsRepository } from './features/catalogue/materials.repository.ts';
import { rederiveHulls } from './features/catalogue/rederive-hulls.service.ts';
import { standardise } from './features/catalogue/standardise.ts';
import type { CalculatedMaterial, CatalogueDoor } from './features/run4u/pipeline/catalogue-door.ts';
import type { Database } from './plugins/database.ts';
import type { JobQueue } from './plugins/queue.ts';

/** Name and licence of what was calculated here. */
export const RUN4U_SOURCE = { name: 'Unitcell Run4U', licence: 'CC-BY-4.0' } as const;

function draftOf(material: CalculatedMaterial): MaterialDraft {
  const { bands, dos } = material;
  return {
    structId: material.structId,
    structure: material.structure,
    energies: [
      {
        functional: material.energyScale,
        energyPerAtom: material.energyPerAtom,
        formationEnergyPerAtom: null,
        source: { name: RUN4U_SOURCE.name, id: material.sourceId },
      },
    ],
    bandGap: material.bandGap,
    bandGapType: material.bandGapType,
    fermiEnergy: material.fermiEnergy,
    totalMagnetization: material.totalMagnetization,
    isHubbard: false,
    names: NO_NAMES,
    source: { ...RUN4U_SOURCE, id: material.sourceId, url: null },
    provenance: material.provenance,
    properties: { bands: [bands], dos: [dos] } as MaterialDraft['properties'],
  };
}

export function catalogueDoor(
  database: Database,
  queue: Pick<JobQueue, 'enqueue'>,
  defaultFunctional: string,
): CatalogueDoor {
  const hulls = rederiveHulls(hullRepository(database));
  const materials = materialsRepository(database);

  async function storedBefore(sourceId: string): Promise<number | null> {
    const { rows } = await database.pool.query<{ struct_id: number }>(
      'SELECT struct_id FROM material WHERE source_name = $1 AND source_id = $2',
      [RUN4U_SOURCE.name, sourceId],
    );
    return rows[0]?.struct_id ?? null;
  }

  async function deriveHulls(): Promise<void> {
    // Another process that derives at this moment may have missed the new material: the job comes after it.
    if ((await hulls.run()) === null) await queue.enqueue(rederiveCatalogue, {}, { delaySeconds: 5 });
  }

  return {
    async store(material) {
      const before = await storedBefore(material.sourceId);
      if (before === null) {
        try {
          await materials.storeBatch([standardise(draftOf(material))], defaultFunctional);
        } catch (error) {
          if (error instanceof RefusedUnit) return { kind: 'refused', reason: error.message };
          throw error;
        }
      }
      const structId = before ?? (await storedBefore(material.sourceId));
      if (structId === null) return { kind: 'refused', reason: `struct_id ${material.structId} is taken` };
      await deriveHulls();
      return { kind: 'stored', structId };
    },
  };
}
