/**
 * Relaxes a crystal with the built-in potential before the network predicts its energy: the network is trained
 * on relaxed crystals. Potential and network have different energy scales, so their energies are never
 * compared.
 */
import type { RelaxationChange } from '@unitcell/contract/prediction';
import { cellVolume, type Structure } from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { roundTo } from '@unitcell/numerics';
import { relax } from '@unitcell/potential';
import { builtInPotential } from './built-in-potential.ts';
import { engineFor, operationsOf } from './calculate.ts';

/** At these limits energies are within 1 meV/atom of the minimum. */
const LIMITS = { force: 0.01, stress: 5e-4, maxSteps: 150 } as const;

/** The relaxed crystal, or the code of the reason why there is none. */
export type RelaxedGuess =
  | { readonly structure: Structure; readonly change: RelaxationChange }
  | { readonly refusal: string };

/** Relaxes atoms and cell and keeps the symmetry. Takes about 1 ms per atom and step on one core. */
export function relaxGuess(guess: Structure): RelaxedGuess {
  const { name, engine } = builtInPotential();
  const perAtom = (energy: number): number => roundTo(energy / guess.sites.length, 6);
  let before: number | undefined;
  try {
    const { structure, evaluation, steps, isConverged } = relax(engineFor(engine, guess), guess, {
      ...LIMITS,
      operations: operationsOf(guess),
      onStep: (step) => {
        before ??= step.evaluation.energy;
      },
    });
    if (!isConverged) return { refusal: 'not-converged' };
    const ratio = cellVolume(structure.latticeVectors) / cellVolume(guess.latticeVectors);
    return {
      structure,
      change: {
        potential: name,
        energy_before: perAtom(before ?? evaluation.energy),
        energy_after: perAtom(evaluation.energy),
        volume_change: roundTo(100 * (ratio - 1), 3),
        steps,
      },
    };
  } catch (error) {
    if (error instanceof ScienceError) return { refusal: error.code };
    throw error;
  }
}
