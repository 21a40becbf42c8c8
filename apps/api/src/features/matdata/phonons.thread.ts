/** Worker thread: phonon modes from stored force constants. */
import type { PhononModes } from '@unitcell/contract/matdata';
import { fromPymatgenDict } from '@unitcell/crystal';
import type { StoredForceConstants, StructureJson } from '@unitcell/material';
import { roundTo, type Vec3 } from '@unitcell/numerics';
import { modeDisplacements, phononSolver } from '@unitcell/potential';

export interface ModesRequest {
  readonly structure: StructureJson;
  readonly constants: StoredForceConstants;
  readonly q: Vec3;
}

/** Motion of the atoms: eigenvectors of the dynamical matrix divided by √mass, scaled to a largest amplitude of 1. */
export function phononModes({ structure, constants, q }: ModesRequest): PhononModes {
  const { masses } = constants;
  const solve = phononSolver({
    ...constants,
    structure: fromPymatgenDict(structure),
    values: Float64Array.from(constants.values),
  });
  const { frequencies, vectorsRe, vectorsIm } = solve(q);
  const size = frequencies.length;
  const displacements = Array.from(frequencies, (_, mode) => {
    const eigenvector = masses.map((_mass, atom) => {
      const at = mode * size + 3 * atom;
      return [...vectorsRe.subarray(at, at + 3), ...vectorsIm.subarray(at, at + 3)];
    });
    return modeDisplacements(eigenvector, masses).map((parts) => parts.map((part) => roundTo(part, 5)));
  });
  return { frequencies: Array.from(frequencies, (frequency) => roundTo(frequency, 4)), displacements };
}
