/** Phonons that a program has already derived from its force constants. */
import type { Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import type { PhononMesh, ThermalProperties } from '../phonons.ts';

export interface FinishedPoint {
  /** Fractions of the reciprocal vectors of the structure. */
  readonly q: Vec3;
  /** Name of a point of high symmetry, as the file writes it. */
  readonly label?: string;
  /** THz, ascending; negative: imaginary. */
  readonly frequencies: readonly number[];
  /**
   * Motion of the atoms in each mode, for named points of files with eigenvectors: of each atom the real parts of x, y, z,
   * then the imaginary parts, times exp(2πi q·R) in the cell at R. The largest amplitude of a mode is 1.
   */
  readonly displacements?: readonly (readonly (readonly number[])[])[];
}

export interface FinishedPhonons {
  readonly structure: Structure;
  readonly bands: readonly FinishedPoint[];
  /** Modes on a mesh; one share for all atoms if the file has no eigenvectors. */
  readonly mesh?: PhononMesh;
  readonly density?: {
    /** THz */
    readonly frequencies: readonly number[];
    /** States per THz and cell. */
    readonly total: readonly number[];
    readonly byAtom?: readonly (readonly number[])[];
  };
  readonly thermal?: readonly ThermalProperties[];
}
