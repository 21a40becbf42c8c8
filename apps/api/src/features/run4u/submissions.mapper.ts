/** Converts a stored submission into the row shown on the page. */
import { basename } from 'node:path';
import type { Preset } from '@unitcell/calculators';
import {
  BUILT_IN_ENGINE,
  type CalculationService,
  type ShownStructure,
  type SubmissionRow,
} from '@unitcell/contract/run4u';
import { HARTREE_EV } from '@unitcell/elements';
import { translatedBarriers } from '../../domain/potential/refusals.ts';
import type { MessageKey, Translate } from '../../messages/messages.ts';
import type { Estimator } from './estimate.ts';
import type { PredictedResults, Prediction } from '../../infra/stored-json.ts';
import { isOpen, progressOf, type Submission } from './submission.ts';
import type { Capacity, QueuePlace } from './submissions.repository.ts';

export interface RowContext {
  readonly t: Translate;
  readonly queue: readonly QueuePlace[];
  readonly capacity: Capacity;
  readonly estimates: Estimator;
  readonly ofPredictions: Estimator;
  readonly now: Date;
}

/** Reason why a submission waits, other than its place in the queue; otherwise empty. */
function waitingCode(
  { reasonCode, method }: Submission,
  { workers, ableWorkers, programs, isDraining }: Capacity,
): string {
  if (isDraining) return 'draining';
  if (workers === 0) return 'no-worker';
  if ((method === 'first-principles' ? programs : ableWorkers) === 0) return 'no-engine';
  return reasonCode;
}

function secondsLeft(submission: Submission, context: RowContext): number | null {
  const { now } = context;
  const estimates = submission.method === 'prediction' ? context.ofPredictions : context.estimates;
  if (submission.status === 'queued') return estimates.ofWaiting(submission.id);
  if (submission.status !== 'running') return null;
  const spent = (now.getTime() - (submission.startedAt ?? now).getTime()) / 1000;
  const { nSites, state } = submission;
  return estimates.ofRunning({ nSites, tasks: state.tasks ?? [] }, spent);
}

export function toSubmissionRow(submission: Submission, index: number, context: RowContext): SubmissionRow {
  const { t, queue, capacity } = context;
  const code = submission.status === 'queued' ? waitingCode(submission, capacity) : submission.reasonCode;
  const estimate = secondsLeft(submission, context);
  return {
    index,
    id: submission.id,
    formula: submission.formula,
    spacegroup: submission.spaceGroup,
    nsites: submission.nSites,
    status: submission.status,
    struct_id: submission.structId,
    submit_time: submission.submittedAt.toISOString(),
    start_time: submission.startedAt?.toISOString() ?? null,
    finish_time: submission.finishedAt?.toISOString() ?? null,
    reason:
      code === '' ? '' : t(`run4u.reason.${code}` as MessageKey, submission.state.reasonParameters ?? {}),
    reason_code: code,
    step: submission.status === 'running' ? submission.step : '',
    progress: submission.status === 'finished' ? 1 : progressOf(submission),
    queue_position: queue.find((place) => place.id === submission.id)?.ahead ?? null,
    estimate_seconds: estimate === null ? null : Math.round(estimate),
    can_cancel: isOpen(submission),
    can_resubmit: submission.status === 'failed' || submission.status === 'cancelled',
    ...(submission.method === '' ? {} : { method: submission.method }),
    ...(submission.status === 'running' && submission.state.course
      ? { course: submission.state.course }
      : {}),
  };
}

function toResults(results: PredictedResults | null, t: Translate) {
  if (results === null) return {};
  const { hullReason, failed, barrier, ...found } = results;
  return {
    ...found,
    ...(barrier ? { barrier: translatedBarriers(barrier, t) } : {}),
    ...(hullReason ? { hull_message: t(...hullReason) } : {}),
    ...(failed.length > 0
      ? { failed_tasks: failed.map(({ task, reason }) => ({ task, reason: t(...reason) })) }
      : {}),
  };
}

export const toPredicted = (
  { model, energyPerAtom, maxForce, pressureGpa, warnings }: Prediction,
  results: PredictedResults | null,
  relaxed: ShownStructure,
  t: Translate,
): SubmissionRow['predicted'] => ({
  ...toResults(results, t),
  model,
  energy_per_atom: energyPerAtom,
  max_force: maxForce,
  pressure: pressureGpa,
  warnings: warnings.map(([key, parameters]) => t(key, parameters)),
  relaxed,
});

/** Cell sizes (atoms) for which times are shown: the smallest, a usual and a large one. */
const TOLD_ATOMS = [2, 10, 30];

export function toCalculationService(
  { queue, capacity, estimates }: RowContext,
  preset: Preset,
): CalculationService {
  const wait = estimates.untilStart();
  return {
    engine: capacity.engine?.name ?? null,
    predicts: capacity.ableWorkers > 0,
    // For an operator's own program the version is its command; its path is not disclosed.
    engine_version: basename(capacity.engine?.version ?? ''),
    // The potential has no plane waves.
    cutoff: capacity.engine?.name === BUILT_IN_ENGINE ? 0 : Number((preset.cutoffHa * HARTREE_EV).toFixed(1)),
    is_paused: capacity.isDraining,
    waiting: capacity.running + queue.length,
    wait_seconds: wait === null ? null : Math.round(wait),
    run_seconds: TOLD_ATOMS.map((atoms) => ({
      atoms,
      seconds: Math.round(estimates.ofRun({ nSites: atoms, tasks: [] })),
    })),
  };
}
