/**
 * Total energies computed for this project: the scale on which results of Run4U find their elements and competitors.
 * `seed-data/own-energies.csv` holds one row per compound.
 */
import { parseCsv } from './csv.ts';

/** The scale of Run4U's default engine with its presets `standard`: one code, one set of data sets, one cutoff. */
export const OWN_SCALE = 'PBE (ABINIT, gpaw-data, 22 Ha)';

export interface OwnEnergy {
  readonly structId: number;
  readonly formula: string;
  /** eV/atom, total energy extrapolated to zero smearing. */
  readonly energyPerAtom: number;
  /** The cell it belongs to: relaxed crystal, or molecule in a box. */
  readonly cell: string;
  readonly source: string;
  /** `SHA-1: Si e303…`: first digits of the checksum of each unpacked data set. */
  readonly dataSets: string;
}

/**
 * The rows by struct_id.
 * @throws Error naming the row that cannot be read or occurs twice
 */
export function parseOwnEnergies(text: string): ReadonlyMap<number, OwnEnergy> {
  const energies = new Map<number, OwnEnergy>();
  for (const record of parseCsv(text)) {
    const structId = Number(record['struct_id']);
    const energyPerAtom = Number(record['energy_per_atom']);
    const { formula = '', cell = '', source = '' } = record;
    if (!Number.isInteger(structId) || !(energyPerAtom < 0) || cell === '' || source === '')
      throw new Error(
        `own-energies.csv, struct_id ${record['struct_id']} (${formula}): expected a negative energy, a cell and a source.`,
      );
    if (energies.has(structId)) throw new Error(`own-energies.csv, struct_id ${structId} occurs twice.`);
    energies.set(structId, {
      structId,
      formula,
      energyPerAtom,
      cell,
      source,
      dataSets: record['data_sets'] ?? '',
    });
  }
  return energies;
}
