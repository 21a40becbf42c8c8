/** Messages between the page and its worker, and the worker's computation as a plain function. */
import {
  CrystalError,
  operationsFromHallSymbol,
  type Structure,
  type SymmetryOperation,
} from '@unitcell/crystal';
import { determinant3 } from '@unitcell/numerics';
import { type Engine, PotentialError, type PotentialErrorCode, relax, TIGHT } from '@unitcell/potential';

export interface RelaxRequest {
  readonly structure: Structure;
  /** Hall symbol of the preserved group, in the axes of the structure. */
  readonly hall: string;
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
  /** `isChiral`: true if the preserved space group is chiral, or if no symmetry was preserved. */
  | { readonly kind: 'ended'; readonly isConverged: boolean; readonly isChiral: boolean }
  | { readonly kind: 'failed'; readonly why: RelaxFailure };

function operationsOf(hall: string): readonly SymmetryOperation[] {
  try {
    return operationsFromHallSymbol(hall);
  } catch (error) {
    if (error instanceof CrystalError) return [];
    throw error;
  }
}

export const failureOf = (error: unknown): RelaxMessage => ({
  kind: 'failed',
  why: error instanceof PotentialError ? error.code : 'other',
});

/** Relaxes atoms and cell and reports every step. */
export function runRelaxation(
  engine: Engine,
  { structure: start, hall }: RelaxRequest,
  tell: (message: RelaxMessage) => void,
): void {
  const run = (operations: readonly SymmetryOperation[]): void => {
    const { isConverged } = relax(engine, start, {
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
    const isChiral = operations.every(({ rotation }) => determinant3(rotation) > 0);
    tell({ kind: 'ended', isConverged, isChiral });
  };
  try {
    run(operationsOf(hall));
  } catch (error) {
    // The symmetry operations do not fit the axes of the cell: relax without symmetry.
    if (error instanceof PotentialError && error.code === 'symmetry') run([]);
    else throw error;
  }
}
