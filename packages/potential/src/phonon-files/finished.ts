/** Results of phonon calculations that another program has derived from force constants. */
import type { Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import type { PhononMesh, ThermalProperties } from '../phonons.ts';

export interface FinishedPoint {
  /** Fractions of the reciprocal vectors of the structure. */
  readonly q: Vec3;
  /** Name of a high-symmetry point, as written in the file. */
  readonly label?: string;
  /** THz, ascending; imaginary frequencies are negative. */
  readonly frequencies: readonly number[];
  /**
   * Motion of the atoms in each mode, for named points of files with eigenvectors. For each atom: real parts of
   * x, y, z, then imaginary parts, to be multiplied by exp(2πi q·R) in the cell at R. The largest amplitude of
   * a mode is 1.
   */
  readonly displacements?: readonly (readonly (readonly number[])[])[];
}

export interface FinishedPhonons {
  readonly structure: Structure;
  readonly bands: readonly FinishedPoint[];
  /** Modes on a mesh. If the file has no eigenvectors, all atoms together have one share. */
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
