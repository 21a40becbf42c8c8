/** Stores materials calculated on this site. They take the same path as every import. */
import type { Structure } from '@unitcell/crystal';
import {
  type BandStructure,
  type DensityOfStates,
  type Given,
  type MaterialDraft,
  NO_PROPERTIES,
  NOTHING_GIVEN,
  type Phonons,
  type Properties,
} from '@unitcell/material';
import { RefusedUnit } from './import/draft/refused-unit.ts';
import { hullRepository } from './derive/hull.repository.ts';
import { materialsRepository } from './materials.repository.ts';
import { DEFAULT_SOURCE_ORDER, RUN4U_NAME, type SourceOrder } from './records/source-order.ts';
import { deriveLater } from './derive/rederive-catalogue.ts';
import { rederiveHulls } from './derive/rederive-hulls.ts';
import { standardise } from './standardise.ts';
import type { Database } from '../infra/database.ts';
import { currentStructId } from '../infra/sql.ts';
import type { JobQueue } from '../infra/queue.ts';

export interface CalculatedMaterial {
  readonly structId: number;
  /** Primitive standard cell. */
  readonly structure: Structure;
  readonly energyScale: string;
  /** eV/atom, extrapolated to zero smearing. */
  readonly energyPerAtom: number;
  /** Results of the same run besides the energy. They refer to `structure`. */
  readonly given: Partial<Given>;
  readonly bands: BandStructure;
  readonly dos: DensityOfStates;
  readonly phonons: readonly Phonons[];
  readonly tensors: Properties<'given'>['tensors'];
  readonly provenance: Readonly<Record<string, unknown>>;
  /** For example `run4u-17`. A submission is stored once even if `store` is called twice. */
  readonly sourceId: string;
}

export type Stored =
  | { readonly kind: 'stored'; readonly structId: number }
  /** The catalogue rejected the material; `reason` states why. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface CalculatedMaterials {
  /** Stores a material the way imports do and derives its hulls. A second call with it stores nothing. */
  store(material: CalculatedMaterial): Promise<Stored>;
}

export const RUN4U_SOURCE = { name: RUN4U_NAME, licence: 'CC-BY-4.0' } as const;

function draftOf(material: CalculatedMaterial): MaterialDraft {
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
    given: {
      ...NOTHING_GIVEN,
      ...material.given,
      sourceName: RUN4U_SOURCE.name,
      sourceId: material.sourceId,
      sourceLicence: RUN4U_SOURCE.licence,
    },
    provenance: material.provenance,
    properties: {
      ...NO_PROPERTIES,
      bands: [material.bands],
      dos: [material.dos],
      phonons: material.phonons,
      tensors: material.tensors,
    },
  };
}

export function calculatedMaterials(
  database: Database,
  queue: Pick<JobQueue, 'enqueue'>,
  defaultFunctional: string,
  order: SourceOrder = DEFAULT_SOURCE_ORDER,
): CalculatedMaterials {
  const hulls = rederiveHulls(hullRepository(database));
  const materials = materialsRepository(database, { order });

  /**
   * The material that holds the result. Its id is compared too, because results imported from the export of
   * another site may have the same source id.
   */
  async function holderOf({
    structId,
    sourceId,
  }: Pick<CalculatedMaterial, 'structId' | 'sourceId'>): Promise<number | null> {
    const from = (table: 'material' | 'material_record') =>
      database.db
        .selectFrom(table)
        .select('struct_id')
        .where('struct_id', '=', currentStructId(structId))
        .where('source_name', '=', RUN4U_SOURCE.name)
        .where('source_id', '=', sourceId);
    const found = await from('material').unionAll(from('material_record')).limit(1).executeTakeFirst();
    return found?.struct_id ?? null;
  }

  async function derive(): Promise<void> {
    await hulls.run();
    // A worker derives windows and electrodes. It also derives the hulls if another process is deriving.
    await deriveLater(queue);
  }

  return {
    async store(material) {
      const before = await holderOf(material);
      if (before === null) {
        try {
          await materials.storeBatch([standardise(draftOf(material))], defaultFunctional);
        } catch (error) {
          if (error instanceof RefusedUnit) return { kind: 'refused', reason: error.message };
          throw error;
        }
      }
      const structId = before ?? (await holderOf(material));
      if (structId === null) return { kind: 'refused', reason: `struct_id ${material.structId} is taken` };
      await derive();
      return { kind: 'stored', structId };
    },
  };
}
