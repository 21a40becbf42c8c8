/** Born charges and the dielectric tensor in the files of phonopy. */
import type { Structure, SymmetryOperation } from '@unitcell/crystal';
import { add3, type Mat3, multiply3, scale3, transpose3 } from '@unitcell/numerics';
import { COULOMB } from '../dipole-interaction.ts';
import type { DipoleCharges } from '../force-constants.ts';
import { siteOperations } from '../site-symmetry.ts';
import { Lines, refuseFile, wordsOf } from './file-error.ts';
import { isMap, listOf, matrixOf } from './phonopy-cell.ts';
import type { Yaml } from './plain-yaml.ts';

const YAML = 'phonopy.yaml';

type Charges = Pick<DipoleCharges, 'born' | 'dielectric'>;

/** The charges, converted to units in which e²/4πε₀ has the value used in this package. */
const scaled = (born: readonly Mat3[], factor: number): Mat3[] => {
  const scale = Math.sqrt(factor / COULOMB);
  return born.map((tensor) => tensor.map((row) => scale3(row, scale)) as unknown as Mat3);
};

/**
 * @param unit the file's unit of charge squared, in eV Å
 * @throws PotentialError `phonon-file`
 */
export function chargesOfYaml(document: Yaml, structure: Structure, unit: number): Charges | null {
  if (!isMap(document)) return null;
  const own = isMap(document.nac) ? document.nac : document;
  if (own.born_effective_charge === undefined || own.dielectric_constant === undefined) return null;
  const atoms = structure.sites.length;
  const born = listOf(own.born_effective_charge, YAML, 'born_effective_charge').map((tensor) =>
    matrixOf(tensor, YAML, 'born_effective_charge'),
  );
  if (born.length !== atoms)
    refuseFile(YAML, `${born.length} Born charges, the primitive cell has ${atoms} atoms`);
  const head = isMap(document.phonopy) ? document.phonopy : {};
  const factor = own.unit_conversion_factor ?? head.nac_unit_conversion_factor;
  return {
    born: scaled(born, typeof factor === 'number' ? factor * unit : COULOMB),
    dielectric: matrixOf(own.dielectric_constant, YAML, 'dielectric_constant'),
  };
}

/** The file contains the charges of symmetry-inequivalent atoms only; the others follow by symmetry. */
export function chargesOfBorn(
  text: string,
  structure: Structure,
  operations: readonly SymmetryOperation[],
  unit: number,
): Charges {
  const lines = new Lines('BORN', text);
  const first = wordsOf(lines.next());
  const factor = first.length > 0 && Number.isFinite(Number(first[0])) ? Number(first[0]) * unit : COULOMB;
  const matrix = (what: string): Mat3 => {
    const n = lines.numbers(9, what);
    return [
      [n[0], n[1], n[2]],
      [n[3], n[4], n[5]],
      [n[6], n[7], n[8]],
    ];
  };
  const dielectric = matrix('the dielectric tensor');
  const all = siteOperations(structure, operations);
  const sums: { tensor: Mat3; count: number }[] = [];
  structure.sites.forEach((_, site) => {
    if (site in sums) return;
    const own = matrix(`the Born charge of atom ${site + 1}`);
    for (const { images, cartesian } of all) {
      const rotatedTensor = multiply3(multiply3(cartesian, own), transpose3(cartesian));
      const before = sums[images[site]];
      sums[images[site]] = before
        ? { tensor: sum3(before.tensor, rotatedTensor), count: before.count + 1 }
        : { tensor: rotatedTensor, count: 1 };
    }
  });
  const born = sums.map(({ tensor, count }) => scaleMatrix(tensor, 1 / count));
  return {
    born: scaled(born, factor),
    dielectric,
  };
}

const sum3 = (a: Mat3, b: Mat3): Mat3 => [add3(a[0], b[0]), add3(a[1], b[1]), add3(a[2], b[2])];
const scaleMatrix = (m: Mat3, factor: number): Mat3 => [
  scale3(m[0], factor),
  scale3(m[1], factor),
  scale3(m[2], factor),
];
