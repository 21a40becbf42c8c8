import { ScienceError } from '@unitcell/errors';

/** Why the potential gives no answer. */
export type PotentialErrorCode =
  /** No atoms, or coordinates that are not finite. */
  | 'structure'
  /** Sites shared by elements or partly vacant: the potential knows whole atoms only. */
  | 'disordered'
  /** An element without trained weights. */
  | 'unknown-element'
  /** More atoms than the engine accepts. */
  | 'too-large'
  /** Two atoms closer than any bond. */
  | 'overlapping-atoms'
  /** An atom without neighbours within the cutoff: its energy would be meaningless. */
  | 'isolated-atom'
  /** A force beyond the range of the training data. */
  | 'large-force'
  /** A relaxation that left the neighbourhood of its start. */
  | 'volume-change'
  /** A relaxation that reached its limit of steps. */
  | 'not-converged'
  /** Volumes without a minimum of the energy, or too few of them. */
  | 'no-minimum'
  /** Imaginary modes where all vibrations must be real. */
  | 'imaginary-modes'
  /** Symmetry operations that do not map the structure onto itself. */
  | 'symmetry'
  /** Displacements that do not determine the force constants. */
  | 'displacements'
  /** A file of phonons that is damaged, incomplete or not what it claims to be. */
  | 'phonon-file'
  /** Weights that are damaged, or of a format that this program does not read. */
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
