/**
 * Convergence settings in one table, with their reasons.
 *
 * One plane-wave cutoff for all elements: absolute energies at 22 Ha are not converged for O (87 meV/atom), but
 * the error cancels between compounds at equal cutoff (MgO −2.692 against −2.697 eV/atom at 30 Ha, NaCl −1.855
 * against −1.856), so energies with different cutoffs must never be mixed on one hull.
 */
export interface Preset {
  /** Plane-wave cutoff, Ha. */
  readonly cutoffHa: number;
  /**
   * k-mesh lengths in Å: a direction with reciprocal vector b (no 2π) gets ⌈length · |b|⌉ points. Metals need more
   * points, because their Fermi surface must be sampled.
   */
  readonly kLength: { readonly relax: number; readonly static: number };
  readonly kLengthMetal: { readonly relax: number; readonly static: number };
  /** Ha/Bohr. A relaxation has converged if the largest force on an atom is below this. */
  readonly forceToleranceHaPerBohr: number;
  /** Points per 1/Å of band path (2π included). */
  readonly bandDensity: number;
  /** Step of the density of states, Ha. */
  readonly dosStepHa: number;
}

export type PresetName = 'ci' | 'standard' | 'accurate';

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  // For tests of the software: Si takes seconds, and lattice constants are within 2 %. Energies are not
  // suitable for publication.
  ci: {
    cutoffHa: 14,
    kLength: { relax: 10, static: 12 },
    kLengthMetal: { relax: 14, static: 16 },
    forceToleranceHaPerBohr: 4e-4,
    bandDensity: 10,
    dosStepHa: 0.002,
  },
  // Lattice constants are 0.2 to 1.5 % above experiment (PBE), and gaps within 0.1 eV of published PBE values.
  standard: {
    cutoffHa: 22,
    kLength: { relax: 16, static: 22 },
    kLengthMetal: { relax: 24, static: 30 },
    forceToleranceHaPerBohr: 4e-4,
    bandDensity: 18,
    dosStepHa: 0.001,
  },
  // For absolute pressures and hard data sets (O, F, N, 3d): 1.6 times as many plane waves and twice as many
  // k-points as `standard`.
  accurate: {
    cutoffHa: 30,
    kLength: { relax: 20, static: 28 },
    kLengthMetal: { relax: 30, static: 40 },
    forceToleranceHaPerBohr: 1e-4,
    bandDensity: 24,
    dosStepHa: 0.001,
  },
};
