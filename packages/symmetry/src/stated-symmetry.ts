/**
 * The space group of a structure at a stated tolerance.
 *
 * Where the operations found at the tolerance asked for form no group, moyo lowers it by itself, often far enough to
 * lose most of the symmetry. Tolerances near the one asked for are tried then, and the nearest that stands is taken.
 */
import type { Structure } from '@unitcell/crystal';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import type { SymmetryDataset } from './symmetry-dataset.ts';
import { SymmetryError } from './symmetry-error.ts';

/** Tried in this order when the tolerance asked for does not stand, as multiples of it. */
export const NEAR_TOLERANCES = [1.25, 0.8, 0.6, 1.6, 0.5, 0.4, 0.3, 0.2, 0.1, 2, 3] as const;

/** Share by which the tolerance used may miss the one asked for and still be the same. */
const SAME_TOLERANCE = 1e-6;

/** The dataset of a structure at `tolerance` (Å), or at the nearest tolerance at which the operations form a group. */
export function analyzeNear(structure: Structure, tolerance: number): SymmetryDataset {
  let best: SymmetryDataset | undefined;
  let refusal: unknown;
  for (const factor of [1, ...NEAR_TOLERANCES]) {
    const symprec = tolerance * factor;
    try {
      const found = analyzeSymmetry(structure, { symprec });
      if (found.symprec >= symprec * (1 - SAME_TOLERANCE)) return found;
      if (!best || found.symprec > best.symprec) best = found;
    } catch (error) {
      if (!(error instanceof SymmetryError && DEPENDS_ON_TOLERANCE.has(error.code))) throw error;
      refusal ??= error;
    }
  }
  if (!best) throw refusal;
  return best;
}

const DEPENDS_ON_TOLERANCE = new Set(['overlapping-sites', 'analysis-failed']);
