/** Whole-pattern refinement of powder patterns with fixed atoms (Rietveld) or free intensities (Le Bail). */
import { DiffractionError } from '../diffraction-error.ts';
import type { RefinementHooks, RefinementRequest, RefinementResult } from './types.ts';

/**
 * Refines a measured pattern. Deterministic: the same request gives the same result.
 * @throws DiffractionError `bad-refinement` (its parameter `reason` names what is wrong), `bad-wavelength`,
 * `unknown-element`, `too-many-reflections`, `cancelled`.
 */
export function refine(request: RefinementRequest, _hooks: RefinementHooks = {}): RefinementResult {
  throw new DiffractionError('bad-refinement', `no refinement of ${request.phases.length} phases yet`, {
    reason: 'no-phases',
  });
}
