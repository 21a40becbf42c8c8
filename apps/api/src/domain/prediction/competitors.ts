/** The phases of the model's energy scale that a crystal competes with. */
import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { AppError } from '../../messages/app-error.ts';
import type { PhaseEntries } from '../thermodynamics/phase-entries.ts';
import type { Competitors } from './predict-given.ts';

/** The phases; a reason where the catalogue has none. @param leftOut a material whose own energy does not count */
export async function competitorsOf(
  entries: PhaseEntries,
  elements: readonly string[],
  leftOut?: number,
): Promise<{ competitors: Competitors | null; reason: AppError | null }> {
  try {
    const { functional } = await entries.scale(PREDICTED_SCALE);
    const phases =
      leftOut === undefined
        ? await entries.stablePhases(functional, elements)
        : (await entries.phases(functional, elements)).filter(({ structId }) => structId !== leftOut);
    return { competitors: { elements, phases }, reason: null };
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('phase.')) throw error;
    return { competitors: null, reason: error };
  }
}
