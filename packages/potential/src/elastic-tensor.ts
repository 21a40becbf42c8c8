import type { Structure } from '@unitcell/crystal';
import { GPA_PER_EV_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import { type Mat3, multiply3 } from '@unitcell/numerics';
import type { Engine, Voigt } from './engine.ts';
import { relaxAtoms } from './relax.ts';

/** Engineering strain of the central differences. */
const STRAIN = 0.005;
/** eV/Å; at each strain, atoms are relaxed until the largest force is below this. */
const FORCE = 5e-4;

/** The unit matrix plus one engineering strain. */
function strained(index: number, strain: number): Mat3 {
  const e = [0, 0, 0, 0, 0, 0];
  e[index] = index < 3 ? strain : strain / 2;
  return [
    [1 + e[0], e[5], e[4]],
    [e[5], 1 + e[1], e[3]],
    [e[4], e[3], 1 + e[2]],
  ];
}

function relaxedStress(engine: Engine, structure: Structure, index: number, strain: number): Voigt {
  const start: Structure = {
    ...structure,
    latticeVectors: multiply3(structure.latticeVectors, strained(index, strain)),
  };
  return relaxAtoms(engine, start, { force: FORCE }).evaluation.stress;
}

/**
 * The stiffness of a relaxed crystal, from central differences of the stress over strains of ± 0.005, made symmetric.
 * Atoms are relaxed at each strain.
 * @returns 6×6, GPa, order xx yy zz yz xz xy, in the Cartesian axes of the structure
 * @throws PotentialError as `relaxAtoms`
 */
export function elasticTensor(engine: Engine, structure: Structure): readonly (readonly number[])[] {
  const columns = [0, 1, 2, 3, 4, 5].map((index) => {
    const up = relaxedStress(engine, structure, index, STRAIN);
    const down = relaxedStress(engine, structure, index, -STRAIN);
    return up.map((value, k) => (GPA_PER_EV_PER_CUBIC_ANGSTROM * (value - down[k])) / (2 * STRAIN));
  });
  return columns.map((column, i) => column.map((value, j) => (value + columns[j][i]) / 2));
}
