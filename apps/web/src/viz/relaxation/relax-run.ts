/** Messages between the page and its worker, and the worker's computation as a plain function. */
import type { PredictedPhonons } from '@unitcell/contract/run4u';
import {
  CrystalError,
  operationsFromHallSymbol,
  type Structure,
  type SymmetryOperation,
} from '@unitcell/crystal';
import { GPA_PER_EV_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import { norm3, scale3, type Vec3 } from '@unitcell/numerics';
import {
  type Engine,
  engineOfGroup,
  isChiral,
  PotentialError,
  type PotentialErrorCode,
  relax,
  TIGHT,
} from '@unitcell/potential';

export interface RelaxRequest {
  readonly structure: Structure;
  /** Hall symbol of the preserved group, in the axes of the structure. */
  readonly hall: string;
  /** Evaluates the structure without relaxing it: its energy, forces and stress, or its phonons. */
  readonly only?: 'still' | 'phonons';
}

/** The result for a structure that is not relaxed. */
export interface Still {
  /** eV */
  readonly energyPerAtom: number;
  /** eV/Å */
  readonly largestForce: number;
  /** GPa, xx yy zz yz xz xy, positive under tension. */
  readonly stress: readonly number[];
}

export interface RelaxStep {
  readonly step: number;
  readonly structure: Structure;
  /** eV */
  readonly energyPerAtom: number;
  /** eV/Å */
  readonly largestForce: number;
}

export type RelaxFailure = PotentialErrorCode | 'other';

export type RelaxMessage =
  | { readonly kind: 'step'; readonly step: RelaxStep }
  | { readonly kind: 'still'; readonly still: Still }
  /** `isChiral`: true if the preserved space group is chiral, or if no symmetry was preserved. */
  | { readonly kind: 'ended'; readonly isConverged: boolean; readonly isChiral: boolean }
  /** The displacement that is being evaluated for the phonons. */
  | { readonly kind: 'displacement'; readonly number: number; readonly count: number }
  | { readonly kind: 'phonons'; readonly phonons: PredictedPhonons }
  | { readonly kind: 'no-phonons'; readonly why: RelaxFailure }
  | { readonly kind: 'failed'; readonly why: RelaxFailure };

/** What is distorted: all axes of the cell, one of them, or a site, which moves along the first axis. */
export type Distorted = 'cell' | 0 | 1 | 2 | { readonly site: number };

/** @param amount strain in %, or displacement in 0.1 Å */
export function distortedBy(structure: Structure, what: Distorted, amount: number): Structure {
  const { latticeVectors, sites } = structure;
  if (typeof what === 'object') {
    const step = (0.1 * amount) / norm3(latticeVectors[0]);
    return {
      ...structure,
      sites: sites.map((site, index) => {
        const [x, y, z] = site.fractionalCoords;
        return index === what.site ? { ...site, fractionalCoords: [x + step, y, z] } : site;
      }),
    };
  }
  const along = (axis: 0 | 1 | 2): Vec3 =>
    scale3(latticeVectors[axis], what === 'cell' || what === axis ? 1 + amount / 100 : 1);
  return { ...structure, latticeVectors: [along(0), along(1), along(2)] };
}

/** Evaluates a structure without relaxing it, with the engine that would relax it. */
export function stillOf(engine: Engine, { structure, hall }: RelaxRequest): Still {
  const { energy, forces, stress } = engineOfGroup(engine, operationsOf(hall)).evaluate(structure);
  const atoms = structure.sites.length;
  const sizes = structure.sites.map((_, k) =>
    Math.hypot(forces[3 * k] ?? 0, forces[3 * k + 1] ?? 0, forces[3 * k + 2] ?? 0),
  );
  return {
    energyPerAtom: energy / atoms,
    largestForce: Math.max(...sizes),
    stress: stress.map((value) => GPA_PER_EV_PER_CUBIC_ANGSTROM * value),
  };
}

function operationsOf(hall: string): readonly SymmetryOperation[] {
  try {
    return operationsFromHallSymbol(hall);
  } catch (error) {
    if (error instanceof CrystalError) return [];
    throw error;
  }
}

export const failureOf = (error: unknown, kind: 'failed' | 'no-phonons' = 'failed'): RelaxMessage => ({
  kind,
  why: error instanceof PotentialError ? error.code : 'other',
});

/** Relaxes atoms and cell and reports every step. */
export function runRelaxation(
  engine: Engine,
  { structure: start, hall }: RelaxRequest,
  tell: (message: RelaxMessage) => void,
): void {
  const run = (operations: readonly SymmetryOperation[]): void => {
    const { isConverged } = relax(engineOfGroup(engine, operations), start, {
      ...TIGHT,
      operations,
      onStep: ({ structure, evaluation, largestForce, steps }) =>
        tell({
          kind: 'step',
          step: {
            step: steps,
            structure,
            energyPerAtom: evaluation.energy / structure.sites.length,
            largestForce,
          },
        }),
    });
    tell({ kind: 'ended', isConverged, isChiral: isChiral(operations) });
  };
  try {
    run(operationsOf(hall));
  } catch (error) {
    // The symmetry operations do not fit the axes of the cell: relax without symmetry.
    if (error instanceof PotentialError && error.code === 'symmetry') run([]);
    else throw error;
  }
}
