import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Compound, type CsvRecord, parseCompounds, parseCsv } from './compound.ts';
import { parseProperties } from './properties.ts';

export const SEED_DIRECTORY = fileURLToPath(new URL('../../../seed-data/', import.meta.url));

const read = (name: string): string => readFileSync(join(SEED_DIRECTORY, name), 'utf8');

export const readCompounds = (): readonly Compound[] => parseCompounds(read('compounds.csv'));

function ownEnergyOf({ struct_id, formula, energy_per_atom, cell, source, data_sets }: CsvRecord) {
  const [structId, energyPerAtom] = [Number(struct_id), Number(energy_per_atom)];
  if (!Number.isInteger(structId) || !(energyPerAtom < 0) || !cell || !source)
    throw new Error(
      `own-energies.csv, struct_id ${struct_id} (${formula}): expected a negative energy, a cell and a source.`,
    );
  return {
    structId,
    formula,
    /** eV/atom, total energy extrapolated to zero smearing. */
    energyPerAtom,
    /** The calculated cell: relaxed crystal, or molecule in a box. */
    cell,
    source,
    /** `SHA-1: Si e303…`: first digits of the checksum of each unpacked data set. */
    dataSets: data_sets ?? '',
  };
}
export type OwnEnergy = Readonly<ReturnType<typeof ownEnergyOf>>;

/** Total energies of this project by struct_id: elements and competitors on the scale of Run4U. */
export function parseOwnEnergies(text: string): ReadonlyMap<number, OwnEnergy> {
  const rows = parseCsv(text).map(ownEnergyOf);
  const energies = new Map(rows.map((row) => [row.structId, row]));
  const twice = rows.find((row) => energies.get(row.structId) !== row);
  if (twice) throw new Error(`own-energies.csv, struct_id ${twice.structId} occurs twice.`);
  return energies;
}
export const readOwnEnergies = (): ReadonlyMap<number, OwnEnergy> =>
  parseOwnEnergies(read('own-energies.csv'));

function scaleFailureOf(record: CsvRecord) {
  const { formula = '', functional = '', en = '', zh = '', source = '', citation_checked = '' } = record;
  /** The phase that is stable experimentally, and the phases with lower energy on the scale. */
  const [structId, ...rivals] = `${record.struct_id} ${record.rivals}`.split(' ').map(Number);
  const areIds = [structId, ...rivals].every((id) => Number.isInteger(id) && id > 0);
  if (!areIds || !functional || !en || !zh || !source)
    throw new Error(
      `scale-failures.csv, struct_id ${record.struct_id}: expected ids, a scale, both texts, a source.`,
    );
  return { structId, formula, rivals, functional, en, zh, source, citationChecked: citation_checked };
}
export type ScaleFailure = Readonly<ReturnType<typeof scaleFailureOf>>;

/**
 * Known contradictions between an energy scale and experiment; seed.test.ts checks every row against the
 * energies.
 */
const readScaleFailures = (): readonly ScaleFailure[] =>
  parseCsv(read('scale-failures.csv')).map(scaleFailureOf);

/** A line of `seed-data/bands.jsonl`: results of our own pipeline; bands and DOS as in the import format. */
export interface ElectronicResult {
  readonly struct_id: number;
  readonly bands?: unknown;
  readonly dos?: unknown;
  /** eV, on the scale of the bands. */
  readonly efermi: number;
  /** eV */
  readonly gap: number;
  readonly gapKind: Compound['gapKind'];
  /** µB per atom. */
  readonly magnetizationPerAtom: number;
  readonly provenance: unknown;
}

/** One band structure and density of states per line. */
const readElectronicResults = (): ReadonlyMap<number, ElectronicResult> =>
  new Map(
    read('bands.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ElectronicResult)
      .map((result) => [result.struct_id, result]),
  );

/** The list of compositions known to be stable, as `parseKnownPhases` of the phase-equilibria package reads it. */
export const readStableCompositions = (): string => read('stable-compositions.txt');

export const readTables = () => ({
  compounds: readCompounds(),
  properties: parseProperties({
    elastic: read('elastic.csv'),
    dielectric: read('dielectric.csv'),
    piezoelectric: read('piezoelectric.csv'),
    topology: read('topology.csv'),
  }),
  electronic: readElectronicResults(),
  ownEnergies: readOwnEnergies(),
  scaleFailures: readScaleFailures(),
});
export type SeedTables = Readonly<ReturnType<typeof readTables>>;
