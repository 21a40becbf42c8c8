/** Reads stored materials as lines of the import format. */
import { atomCount, compositionOf, fromCompactCell, toPymatgenDict } from '@unitcell/crystal';
import { place, scaledToCell } from '@unitcell/material';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { columnsOf } from '../../infra/sql.ts';
import { type StoredEnergy, type StoredMaterial, storedMaterials } from '../stored-material.ts';

interface ExportFilter {
  /** Selects exactly this chemical system; with `withSubsystems` also the systems within it. */
  readonly elements?: readonly string[];
  readonly withSubsystems?: boolean;
}

/** Materials per query. This limits the memory used for large catalogues. */
const PAGE_ROWS = 500;

export async function* exportRows(
  { readDb }: Pick<Database, 'readDb'>,
  { elements, withSubsystems = false }: ExportFilter = {},
): AsyncGenerator<StoredMaterial> {
  const wanted = elements && sql`${[...elements]}::text[]`;
  const own = columnsOf('material')('elements');
  const inside = wanted && sql<boolean>`${own} <@ ${wanted}`;
  const exactly = wanted && sql<boolean>`${own} <@ ${wanted} AND ${own} @> ${wanted}`;
  const condition = withSubsystems ? inside : exactly;
  for (let after = 0; ; ) {
    const page = storedMaterials(readDb).where('material.struct_id', '>', after);
    const rows = await (condition ? page.where(condition) : page)
      .orderBy('material.struct_id')
      .limit(PAGE_ROWS)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.structId;
  }
}

// Converts a stored material to a line of the import format. Empty fields are omitted; derived energies are
// included for comparison.

/**
 * Ids above this number belong to materials calculated by Run4U. Another installation assigns its own ids to
 * such materials.
 */
const LAST_IMPORTED_ID = 1_999_999_999;

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Removes null and empty fields: the import format does not distinguish absent and unknown values. */
const known = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));

function energiesOf({ energies, functional }: StoredMaterial, atoms: number, isWhole: boolean): object {
  const toGiven = (energy: StoredEnergy) =>
    known({
      functional: energy.functional,
      energy: energy.energyPerAtom === null ? null : energy.energyPerAtom * atoms,
      formation_energy_per_atom: energy.givenFormationEnergy,
      source: energy.source,
    });
  const own = energies.find((energy) => energy.functional === functional);
  // The format has no source field for the top-level energy. If the source must be kept, the energy becomes the first
  // of `energies`.
  const isFirst = own !== undefined && (!isWhole || isEmpty(own.source));
  const others = energies.filter((energy) => energy !== own).map(toGiven);
  if (!isFirst) return { energies: own ? [toGiven(own), ...others] : others };
  const { source: _nowhere, ...shown } = toGiven(own);
  return { ...shown, energies: others };
}

/**
 * Returns a line that `importLine` accepts.
 * @param isWhole keeps the source of the shown energy; the energy is then in `energies` instead of at the top
 * level
 */
export function toImportLine(stored: StoredMaterial, isWhole = false): Readonly<Record<string, unknown>> {
  const structure = fromCompactCell(stored.given);
  const scalars = place('line', scaledToCell(stored, structure.sites.length / stored.nSites));
  const { elastic, dielectric, piezoelectric } = stored.tensors;
  return {
    ...(stored.structId <= LAST_IMPORTED_ID ? { struct_id: stored.structId } : {}),
    structure: toPymatgenDict(structure),
    ...energiesOf(stored, atomCount(compositionOf(structure)), isWhole),
    ...known({
      ...scalars,
      names: known(scalars.names),
      source: known(scalars.source),
      elastic_tensor: elastic,
      dielectric,
      piezoelectric_total: piezoelectric,
      topology: stored.topology,
      bands: stored.bands,
      dos: stored.dos,
      phonons: stored.phonons,
      provenance: stored.provenance,
    }),
    derived: stored.energies.map((energy) => ({
      functional: energy.functional,
      formation_energy_per_atom: energy.formationEnergyPerAtom,
      energy_above_hull: energy.energyAboveHull,
      release: energy.releaseId,
    })),
  };
}
