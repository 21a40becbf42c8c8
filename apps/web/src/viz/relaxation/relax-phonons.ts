/**
 * Calculates the phonons of a relaxed crystal in the page's worker. This module and the symmetry package are loaded
 * only on demand.
 */
import type { PredictedPhonons } from '@unitcell/contract/run4u';
import { type Structure, toRoundedPymatgenDict } from '@unitcell/crystal';
import {
  type Engine,
  engineOfGroup,
  forceConstants,
  hasImaginaryModes,
  massesOf,
  phononBands,
  phononSupercell,
} from '@unitcell/potential';
import { analyzeSymmetry, kPath, readableLabel } from '@unitcell/symmetry';
import type { RelaxMessage } from './relax-run.ts';

export { initSymmetry } from '@unitcell/symmetry';

/** Maximum number of atoms of the supercell: a larger one would take minutes in a browser. */
const MAX_ATOMS = 100;

/** @throws PotentialError `too-large`, and what the engine throws; SymmetryError */
export function phononsOf(
  engine: Engine,
  relaxed: Structure,
  tell: (message: RelaxMessage) => void,
): PredictedPhonons {
  const path = kPath(relaxed);
  const structure = path.primitiveStandard;
  const supercell = phononSupercell(structure, MAX_ATOMS);
  const { operations } = analyzeSymmetry(structure);
  const constants = forceConstants(
    engineOfGroup(engine, operations),
    structure,
    supercell,
    operations,
    (number, count) => tell({ kind: 'displacement', number, count }),
  );
  const bands = phononBands(constants, path);
  return {
    structure: toRoundedPymatgenDict(structure),
    supercell: [...supercell],
    bands: bands.map(({ label, ...point }) => ({
      ...point,
      ...(label !== undefined && { label: readableLabel(label) }),
    })),
    has_imaginary_modes: hasImaginaryModes(constants, bands),
    force_constants: {
      supercell: constants.supercell,
      masses: [...massesOf(constants)],
      values: [...constants.values],
    },
  };
}
