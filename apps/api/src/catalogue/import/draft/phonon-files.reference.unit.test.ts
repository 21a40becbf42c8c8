/**
 * Compares frequencies from published phonon files with reference values of the programs that wrote the files.
 * Needs ../shared.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readPoscar, reciprocalLattice } from '@unitcell/crystal';
import { type Mat3, multiply3, rowTimesMatrix3, transpose3, type Vec3 } from '@unitcell/numerics';
import {
  phononFrequencies,
  type PhonopyFiles,
  readAbinitDdb,
  readPhonopy,
  readPhonopyBands,
  readPhonopyMesh,
  readPymatgenPhonons,
  readQuantumEspresso,
} from '@unitcell/potential';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { crystalTools } from './draft-from-phonons.ts';

const FOLDER = 'datasets/phonons';
const read = (name: string): string => {
  const bytes = readFileSync(sharedPath(`${FOLDER}/${name}`));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

interface Entry {
  readonly id: string;
  readonly folder?: string;
  readonly files: readonly string[];
  readonly supercell?: readonly (number | readonly number[])[];
  readonly answer: {
    readonly primitive_lattice_A: Mat3;
    readonly primitive_atoms: readonly { readonly element: string; readonly mass: number }[];
    readonly frequencies_THz?: Readonly<Record<string, readonly number[]>>;
    readonly gamma_with_LO_along_first_reciprocal_axis_THz?: readonly number[];
    readonly points: Readonly<Record<string, readonly number[]>>;
  } | null;
}

const list = (values: readonly number[]): string => `[ ${values.join(', ')} ]`;

/** A phonopy.yaml for a published folder that contains only a POSCAR and forces. */
function yamlOf(poscar: string, supercell: NonNullable<Entry['supercell']>): string {
  const { latticeVectors, sites } = readPoscar(poscar).structure;
  const rows = supercell.map((row, i) =>
    typeof row === 'number' ? [0, 1, 2].map((j) => (i === j ? row : 0)) : row,
  );
  const points = sites.map(
    ({ species, fractionalCoords }) =>
      `  - symbol: ${species[0]?.element ?? ''}\n    coordinates: ${list(fractionalCoords)}`,
  );
  return [
    'unit_cell:',
    '  lattice:',
    ...latticeVectors.map((row) => `  - ${list(row)}`),
    '  points:',
    ...points,
    'supercell_matrix:',
    ...rows.map((row) => `- ${list(row)}`),
  ].join('\n');
}

function filesOf({ folder, files, supercell }: Entry): PhonopyFiles {
  if (folder === undefined) return { yaml: read(files[0] ?? '') };
  const text = (name: string) => (files.includes(name) ? read(`${folder}/${name}`) : undefined);
  const found = {
    yaml: yamlOf(read(`${folder}/POSCAR`), supercell ?? []),
    forceSets: text('FORCE_SETS'),
    forceConstants: text('FORCE_CONSTANTS'),
    born: text('BORN'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const largestDifference = (own: Float64Array, known: readonly number[]): number =>
  Math.max(...known.map((frequency, mode) => Math.abs(frequency - (own[mode] ?? Number.NaN))));

const vectorIn = (name: string): Vec3 => JSON.parse(name.slice(name.indexOf('['))) as Vec3;

describe.skipIf(!hasSharedData)('published phonon files', () => {
  const entries: Entry[] = hasSharedData ? JSON.parse(read('index.json')) : [];

  it.each(entries.filter(({ answer }) => answer?.frequencies_THz).map((entry) => [entry.id, entry] as const))(
    '%s has the frequencies that phonopy calculates',
    (_, entry) => {
      const { answer } = entry;
      if (!answer) return;
      const constants = readPhonopy(filesOf(entry), crystalTools);
      const masses = constants.structure.sites.map(
        ({ species }) =>
          answer.primitive_atoms.find(({ element }) => element === species[0]?.element)?.mass ?? Number.NaN,
      );
      const at = phononFrequencies({ ...constants, masses });
      // The reference values may refer to another primitive cell.
      const toOwn = multiply3(
        reciprocalLattice(answer.primitive_lattice_A),
        transpose3(constants.structure.latticeVectors),
      );
      const differences = Object.entries(answer.frequencies_THz ?? {}).map(([name, known]) =>
        largestDifference(at(rowTimesMatrix3(vectorIn(name), toOwn)), known),
      );
      const split = answer.gamma_with_LO_along_first_reciprocal_axis_THz ?? [];
      const towards = at([0, 0, 0], rowTimesMatrix3([1, 0, 0], toOwn));
      expect(
        Math.max(...differences, ...(split.length > 0 ? [largestDifference(towards, split)] : [])),
      ).toBeLessThan(1e-4);
    },
  );

  it('a DDB file of AlAs gives the frequencies that anaddb calculates', () => {
    const at = phononFrequencies(readAbinitDdb(read('alas_DDB'), crystalTools));
    const points = entries.find(({ id }) => id === 'alas-ddb')?.answer?.points ?? {};
    // [0.75, 0.75, 0.75] is left out: anaddb's value contradicts the matrix that the file contains for this
    // point.
    const differences = Object.entries(points)
      .filter(([name]) => !name.startsWith('[0.75'))
      .map(([name, known]) => ({ name, largest: largestDifference(at(vectorIn(name)), known) }));
    const isOfGrid = (name: string): boolean => /^\[0\.[05], 0\.[05], 0\.[05]\]$/.test(name);
    expect(differences.filter(({ name, largest }) => largest > (isOfGrid(name) ? 2e-4 : 1e-2))).toEqual([]);
  });

  it('force constants of Quantum ESPRESSO for NaCl give the published TO and LO frequencies at Γ', () => {
    const at = phononFrequencies(readQuantumEspresso(read('nacl.fc.gz')));
    const [transverse, longitudinal] = [at([0, 0, 0])[3], at([0, 0, 0], [1, 0, 0])[5]];
    expect(transverse).toBeCloseTo(4.6, 1);
    expect(longitudinal).toBeCloseTo(7.4, 1);
  });

  it('bands, meshes and documents of finished calculations are read with all points', () => {
    expect(readPhonopyBands(read('al.band.yaml')).bands).toHaveLength(84);
    expect(readPhonopyMesh(read('al.mesh.yaml')).mesh?.points).toBe(512);
    const graphene = readPhonopyBands(read('graphene.band.yaml'));
    expect(graphene.bands).toHaveLength(30);
    expect(Math.max(...graphene.bands.flatMap(({ frequencies }) => frequencies))).toBeCloseTo(49.6462, 4);
    const document = readPymatgenPhonons(JSON.parse(read('mp-2758-Sr4Se4-pbe.json.gz')));
    expect(document.bands).toHaveLength(606);
    expect(document.density?.total).toHaveLength(201);
  });
});
