/** Outcomes that all engines have in common. */
import type { FailureCode, StepOutcome, StepRequest } from './calculator.ts';

export type Failed = Extract<StepOutcome, { kind: 'failed' }>;
export type Retry = Extract<StepOutcome, { kind: 'retry' }>;

/** Characters kept of an engine's own words. */
const MAX_DETAIL = 400;

/** Times a relaxation may go on from its last geometry. */
const MAX_CONTINUATIONS = 4;

/** @param detail the engine's own words, white space folded and cut to what a person reads */
export const failed = (code: FailureCode, detail: string): Failed => ({
  kind: 'failed',
  code,
  detail: detail.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DETAIL),
});

/** The next way of mixing the density, or the end when all three were tried. */
export function scfRetry({ workarounds }: StepRequest): Retry | Failed {
  if (workarounds.includes('safest-mixing'))
    return failed('scf-not-converged', 'not converged with three ways of mixing the density');
  const next = workarounds.includes('gentle-mixing') ? 'safest-mixing' : 'gentle-mixing';
  return { kind: 'retry', workarounds: [...workarounds, next], cause: 'the charge density did not converge' };
}

/** Whether a relaxation has gone on from its last geometry as often as it may. */
export const isContinuedEnough = ({ workarounds }: StepRequest): boolean =>
  workarounds.filter((one) => one === 'continue').length >= MAX_CONTINUATIONS;
