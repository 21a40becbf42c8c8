import { ScienceError } from '@unitcell/errors';

/** Reasons why the potential gives no result. */
export type PotentialErrorCode =
  /** The structure has no atoms, or its coordinates are not finite. */
  | 'structure'
  /** Sites are shared by elements or partly vacant: the potential handles fully occupied sites only. */
  | 'disordered'
  /** An element has no trained weights. */
  | 'unknown-element'
  /** The structure has more atoms than the engine accepts. */
  | 'too-large'
  /** Two atoms are closer than any bond. */
  | 'overlapping-atoms'
  /** An atom has no neighbours within the cutoff, so its energy would be meaningless. */
  | 'isolated-atom'
  /** A force exceeds the range of the training data. */
  | 'large-force'
  /** A relaxation changed the volume of its start by too much. */
  | 'volume-change'
  /** A relaxation reached its limit of steps. */
  | 'not-converged'
  /** The energy has no minimum within the volumes, or there are too few volumes. */
  | 'no-minimum'
  /** There are imaginary modes although all vibrations must be real. */
  | 'imaginary-modes'
  /** Symmetry operations do not map the structure onto itself. */
  | 'symmetry'
  /** The displacements do not determine the force constants. */
  | 'displacements'
  /** The structure lacks the element whose hops are wanted. */
  | 'no-ion'
  /** No two sites of the element are close enough for a hop. */
  | 'no-hop'
  /** No supercell within the limit of atoms keeps the images of a vacancy apart. */
  | 'hop-too-large'
  /** A file of phonons is damaged, incomplete or of another kind than it states. */
  | 'phonon-file'
  /** The weights are damaged or in a format that this program cannot read. */
  | 'model-file';

export class PotentialError extends ScienceError<PotentialErrorCode> {
  declare readonly parameters: Readonly<Record<string, string | number>>;

  constructor(
    code: PotentialErrorCode,
    message: string,
    parameters: Readonly<Record<string, string | number>> = {},
  ) {
    super('potential', code, message, parameters);
  }
}
