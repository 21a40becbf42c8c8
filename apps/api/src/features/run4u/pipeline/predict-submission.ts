/** Predicts a submission by the built-in potential, in seconds. An interrupted prediction starts again. */
import type { PipelineStep } from '@unitcell/contract/run4u';
import { ScienceError } from '@unitcell/errors';
import { TaskRefused } from '../../../infra/task-admission.ts';
import type { MessageParameters } from '../../../messages/messages.ts';
import type { ReasonCode } from '../../../messages/groups/run4u.ts';
import { type Potential, PREDICTION_SECONDS } from '../engines/built-in-engine.ts';
import { type Submission, SubmissionFailed, type SubmissionState } from '../submission.ts';
import type { SubmissionsRepository } from '../submissions.repository.ts';
import { MAX_BEGINNINGS, refuseExisting } from './run-submission.ts';

export interface PredictionTools {
  readonly materials: Pick<SubmissionsRepository, 'materialsOf'>;
  readonly potential: Pick<Potential, 'predict'>;
  readonly signal: AbortSignal;
  /** @throws LeaseLost */
  save(step: PipelineStep, state: SubmissionState): Promise<void>;
}

/** The refusals of the potential that have a text of their own. */
const REASONS: Readonly<Record<string, ReasonCode>> = {
  'unknown-element': 'no-parameters',
  'too-large': 'too-large',
  'overlapping-atoms': 'overlapping-atoms',
  'isolated-atom': 'isolated-atom',
  'large-force': 'large-force',
  'volume-change': 'volume-change',
  'not-converged': 'relax-not-converged',
};

function failureOf(error: unknown): unknown {
  if (error instanceof TaskRefused && error.reason === 'too-costly')
    return new SubmissionFailed('prediction-time-limit', { minutes: PREDICTION_SECONDS / 60 });
  if (!(error instanceof ScienceError)) return error;
  const { distance, element, ...others } = error.parameters;
  const shown = Object.entries(others).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return new SubmissionFailed(REASONS[error.code] ?? 'not-calculable', {
    ...(Object.fromEntries(shown) as MessageParameters),
    ...(typeof distance === 'number' ? { distance: distance.toFixed(2) } : {}),
    ...(typeof element === 'string' ? { elements: element } : {}),
    detail: error.message,
  });
}

/**
 * @returns the final state; the result is `predicted`
 * @throws SubmissionFailed, AlreadyExists, LeaseLost, or the reason of the signal
 */
export async function predictSubmission(
  { structure, state: given }: Pick<Submission, 'structure' | 'state'>,
  { materials, potential, signal, save }: PredictionTools,
): Promise<SubmissionState> {
  const begun = (given.begun?.relax ?? 0) + 1;
  if (begun > MAX_BEGINNINGS) throw new SubmissionFailed('gave-up', { step: 'relax', times: MAX_BEGINNINGS });
  const state = { ...given, running: null, begun: { ...given.begun, relax: begun } };
  await save('deduplicate', state);
  await refuseExisting(structure, { materials });
  await save('relax', state);
  try {
    return { ...state, predicted: await potential.predict(structure, signal) };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}
