/** A record as the line of the import format it is kept as: whole, and without what is derived. */
import { toImportLine } from '../export/to-import-line.ts';
import type { StandardMaterial } from '../standardise.ts';
import type { StoredMaterial } from '../stored-material.ts';

const NOT_DERIVED = { energyAboveHull: null, decomposition: [], releaseId: null };

function withoutDerived({
  derived: _derived,
  struct_id: _id,
  ...line
}: Readonly<Record<string, unknown>>): object {
  return line;
}

/** @param stored a material of one source */
export const lineOfStored = (stored: StoredMaterial): object => withoutDerived(toImportLine(stored, true));

export function lineOfRecord(record: StandardMaterial): object {
  const { properties, energies } = record;
  const { topology } = properties;
  return lineOfStored({
    ...record,
    ...properties,
    topology: topology && { labels: [...topology.labels], rows: topology.rows.map((row) => ({ ...row })) },
    structId: 0,
    functional: energies[0]?.functional ?? null,
    energy: null,
    energyPerAtom: null,
    formationEnergyPerAtom: null,
    energyAboveHull: null,
    energies: energies.map((energy) => ({
      ...NOT_DERIVED,
      ...energy,
      givenFormationEnergy: energy.formationEnergyPerAtom,
    })),
  });
}
