/** Reading of the tables in `seed-data/`. The only file of the generator, beside its entry, that touches the disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Compound, parseCompounds } from './compound.ts';
import type { ElectronicResult } from './material.ts';
import { type OwnEnergy, parseOwnEnergies } from './own-energy.ts';
import { parseScaleFailures, type ScaleFailure } from './scale-failures.ts';
import { parseProperties, type Properties } from './properties.ts';

export const SEED_DIRECTORY = fileURLToPath(new URL('../../../seed-data/', import.meta.url));

const read = (name: string): string => readFileSync(join(SEED_DIRECTORY, name), 'utf8');

export const readCompounds = (): readonly Compound[] => parseCompounds(read('compounds.csv'));

export const readProperties = (): ReadonlyMap<number, Properties & { formula: string }> =>
  parseProperties({
    elastic: read('elastic.csv'),
    dielectric: read('dielectric.csv'),
    piezoelectric: read('piezoelectric.csv'),
    topology: read('topology.csv'),
  });

export const readOwnEnergies = (): ReadonlyMap<number, OwnEnergy> =>
  parseOwnEnergies(read('own-energies.csv'));

export const readScaleFailures = (): readonly ScaleFailure[] =>
  parseScaleFailures(read('scale-failures.csv'));

/** `seed-data/bands/<struct_id>-<formula>.json`: one band structure and density of states each. */
export function readElectronicResults(): ReadonlyMap<number, ElectronicResult> {
  const directory = join(SEED_DIRECTORY, 'bands');
  if (!existsSync(directory)) return new Map();
  return new Map(
    readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [
        Number.parseInt(name, 10),
        JSON.parse(readFileSync(join(directory, name), 'utf8')) as ElectronicResult,
      ]),
  );
}

/** The list of compositions known to be stable, as `parseKnownPhases` of the phase-equilibria package reads it. */
export const readStableCompositions = (): string => read('stable-compositions.txt');
