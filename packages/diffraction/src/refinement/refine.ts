/** Whole-pattern refinement of powder patterns with fixed atoms (Rietveld) or free intensities (Le Bail). */
import { refusal } from './measured-points.ts';
import { prepare } from './prepare.ts';
import { resultOf } from './results.ts';
import { runStages } from './stages.ts';
import type { RefinementHooks, RefinementRequest, RefinementResult } from './types.ts';

/**
 * Refines a measured pattern. Deterministic: the same request gives the same result.
 *
 * Method: H. M. Rietveld, J. Appl. Cryst. 2, 65 (1969), doi:10.1107/S0021889869006558. Atoms stay where they are.
 * @throws DiffractionError `bad-refinement` (its parameter `reason` is a RefinementRefusal), `bad-wavelength`,
 * `unknown-element`, `bad-structure`, `too-many-reflections`, `cancelled`.
 */
export function refine(request: RefinementRequest, hooks: RefinementHooks = {}): RefinementResult {
  if (request.phases.length === 0) throw refusal('no-phases', 'no phase was given: choose at least one');
  const { state, plan } = prepare(request, hooks);
  runStages(state, plan);
  return resultOf(request, state, plan);
}
