/** The rules of submissions: accepted structures, quotas, and what an account may do with its submissions. */
import { PRESETS, type Preset } from '@unitcell/calculators';
import type { CallAnswer } from '@unitcell/contract/common';
import { run4uWake } from '@unitcell/contract/jobs';
import type { PredictionResult } from '@unitcell/contract/prediction';
import {
  BUILT_IN_ENGINE,
  type Dashboard,
  type RunMethod,
  type run4uExpect,
  type run4uSubmit,
  type SubmissionDetail,
  type Submitted,
  type UploadedStructure,
  type CalculationService,
  type ShownStructure,
  type SubmissionRow,
} from '@unitcell/contract/run4u';
import type { StructureJson } from '@unitcell/material';
import { cellVolume, type CompactCell, fromCompactCell } from '@unitcell/crystal';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Predictions } from '../../domain/prediction/predictions.ts';
import type { ExistingMaterial } from '../../domain/same-crystal.ts';
import type { Translate, MessageKey } from '../../messages/messages.ts';
import { AppError } from '../../messages/app-error.ts';
import { waitUpTo } from '../../infra/process.ts';
import type { JobQueue } from '../../infra/queue.ts';
import type { Caller, ThreadHandle } from '../../infra/thread-pool.ts';
import { estimator, type Estimator } from './estimate.ts';
import type * as run4uThread from './run4u.thread.ts';
import type { CheckedStructure, ExistingRequest } from './run4u.thread.ts';
import type { Run4uSettings } from './run4u-settings.ts';
import { isSpecial, isOpen, progressOf, type Submission } from './submission.ts';
import type { SubmissionsRepository, Capacity, QueuePlace } from './submissions.repository.ts';
import { basename } from 'node:path';
import { HARTREE_EV } from '@unitcell/elements';
import { translatedBarriers } from '../../domain/potential/refusals.ts';
import type { PredictedResults, Prediction, SubmissionState } from '../../infra/stored-json.ts';

export interface SubmissionsOptions {
  readonly repository: SubmissionsRepository;
  readonly threads: ThreadHandle<typeof run4uThread>;
  readonly queue: JobQueue;
  readonly predictions: Pick<Predictions, 'ofSubject'>;
  readonly settings: Run4uSettings;
  readonly timeZone: string;
  readonly log: Logger;
}

/** Method, tasks and physics requested with a structure. */
type Wish = Pick<z.output<typeof run4uSubmit.request>, 'method' | 'tasks' | 'ion' | 'potential' | 'physics'> &
  Pick<SubmissionState, 'startVolume'>;

/** Longest wait for the queue to accept the message that wakes workers. */
const WAKE_MILLISECONDS = 1_000;

/** Words fixed by the specification; the client compares with them (spec §8). */
const SPOKEN = { done: 'Success', nothing: 'Error', full: 'Full' } as const;

export function submissions(options: SubmissionsOptions) {
  const { repository, threads, queue, predictions, settings, timeZone, log } = options;

  async function wakeWorkers(): Promise<void> {
    // The row is stored, so a lost message or unreachable queue only delays the start until a worker polls.
    const sent = queue
      .enqueue(run4uWake, {})
      .catch((error: unknown) => log.warn({ err: error }, 'workers could not be woken'));
    await waitUpTo(WAKE_MILLISECONDS, sent);
  }

  async function findExisting(checked: CheckedStructure, caller: Caller): Promise<ExistingMaterial | null> {
    const candidates = await repository.materialsOf(checked.formulaReduced);
    if (candidates.length === 0) return null;
    const request: ExistingRequest = { cell: checked.cell, candidates };
    return threads.run('findExisting', request, caller);
  }

  /** The prediction, or the reason why there is none. */
  async function predictionOf(
    cell: CompactCell,
    t: Translate,
    caller: Caller,
  ): Promise<PredictionResult | { readonly sentence: string }> {
    try {
      return await predictions.ofSubject({ cell }, undefined, t, caller);
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('prediction.')) throw error;
      return { sentence: t(error.code, error.parameters) };
    }
  }

  /** Stores the prediction, to be compared with the result later. A submission is valid without a prediction. */
  async function keepPrediction(id: number, cell: CompactCell, t: Translate, caller: Caller): Promise<void> {
    try {
      const made = await predictionOf(cell, t, caller);
      if (!('sentence' in made)) await repository.keepPrediction(id, made);
    } catch (error) {
      log.warn({ err: error, submission: id }, 'no prediction for a submission');
    }
  }

  /**
   * Daily limits of submissions and predictions. If an account has its own submission limit, the same number
   * applies to predictions.
   */
  const limitsOf = (ownLimit: number | null) => ({
    used: ownLimit ?? settings.dailyLimit,
    predicted:
      ownLimit === 0
        ? 0
        : Math.max(settings.predictedDailyLimit, settings.predictedDailyLimit && (ownLimit ?? 0)),
  });

  /** The requested method. If none was requested, a site that has only the potential makes a prediction. */
  async function methodOf({ method, tasks, physics = [] }: Wish): Promise<RunMethod | ''> {
    if (physics.length > 0) return 'first-principles';
    if (method || tasks) return method ?? 'prediction';
    const { engine } = await repository.capacity();
    return engine?.name === BUILT_IN_ENGINE ? 'prediction' : '';
  }

  async function submitChecked(
    accountId: number,
    checked: CheckedStructure,
    wish: Wish,
    t: Translate,
    caller: Caller,
  ): Promise<Submitted> {
    const [usage, method] = await Promise.all([repository.usedToday(accountId, timeZone), methodOf(wish)]);
    const quota = method === 'prediction' ? 'predicted' : 'used';
    const dailyLimit = limitsOf(usage.ownLimit)[quota];
    const full = { error: 'false' as const, message: SPOKEN.full, limit: dailyLimit };
    if (dailyLimit <= 0) return full;
    // Known crystals are still calculated if a prediction, tasks or physics were requested that the catalogue
    // may lack.
    const isWished = wish.method === 'prediction' || wish.tasks !== undefined || isSpecial(wish);
    const existing = isWished ? null : await findExisting(checked, caller);
    if (!existing && usage[quota] >= dailyLimit) return full;
    const id = await repository.insertWithinQuota(
      {
        accountId,
        formula: checked.shown.formula,
        spaceGroup: checked.shown.symmetry.spacegroup,
        structure: checked.cell,
        nSites: checked.primitiveSites,
        structId: existing?.structId ?? null,
        method,
        state: {
          ...(wish.tasks || method === 'prediction' ? { tasks: wish.tasks ?? [] } : {}),
          ...(wish.ion ? { ion: wish.ion } : {}),
          ...(wish.potential ? { potential: wish.potential } : {}),
          ...(wish.physics ? { physics: wish.physics } : {}),
          ...(wish.startVolume ? { startVolume: wish.startVolume } : {}),
        },
      },
      dailyLimit,
      timeZone,
    );
    if (id === null) return full;
    if (!existing) {
      // The network's prediction is stored only for first-principles calculations. For a prediction by the potential
      // it would take longer than the submission itself.
      if (method !== 'prediction') await keepPrediction(id, checked.cell, t, caller);
      await wakeWorkers();
    }
    return {
      error: 'false',
      message: SPOKEN.done,
      id,
      status: existing ? 'existed' : 'queued',
      struct_id: existing?.structId ?? null,
    };
  }

  async function own(id: number, accountId: number) {
    const submission = await repository.byId(id, accountId);
    if (!submission) throw new AppError('run4u.not-found');
    return submission;
  }

  async function rowContext(t: Translate) {
    const capacity = await repository.capacity();
    const isPredicting = capacity.engine?.name === BUILT_IN_ENGINE;
    const [places, running, calculated, predicted] = await Promise.all([
      repository.queue(),
      repository.running(),
      repository.finishedRuns(false),
      repository.finishedRuns(true),
    ]);
    const slots = capacity.isDraining ? 0 : capacity.slots;
    // On a site with a program, each worker has one separate slot for predictions.
    const ofMethod = (isPrediction: boolean) => {
      const belongs = ({ method }: { readonly method: RunMethod | '' }): boolean =>
        isPredicting || (method === 'prediction') === isPrediction;
      return estimator({
        queue: places.filter(belongs),
        running: running.filter(belongs),
        finished: isPrediction ? predicted : calculated,
        preset: isPrediction ? BUILT_IN_ENGINE : settings.preset,
        slots: isPrediction && !isPredicting ? Math.min(slots, capacity.ableWorkers) : slots,
      });
    };
    const [estimates, ofPredictions] = [ofMethod(isPredicting), ofMethod(true)];
    return { t, queue: places, capacity, estimates, ofPredictions, now: new Date() };
  }

  return {
    /**
     * Reads an uploaded file.
     * @returns null for a file that is neither CIF nor POSCAR; the page has its own text for this
     * @throws AppError run4u.…
     */
    async readFile(
      bytes: Uint8Array,
      name: string,
      t: Translate,
      caller: Caller,
    ): Promise<UploadedStructure | null> {
      const text = new TextDecoder('utf-8').decode(bytes);
      const read = await threads.run('readUpload', { text, name }, caller);
      if (read === null) return null;
      const warnings = read.warnings.map(([key, parameters]) => t(key, parameters));
      return { error: 'false', message: '', ...read.shown, warnings };
    },

    /** @throws AppError run4u.… when the structure cannot be run */
    async submit(
      accountId: number,
      { structure, ...wish }: z.output<typeof run4uSubmit.request>,
      t: Translate,
      caller: Caller,
    ): Promise<z.input<typeof run4uSubmit.answer>> {
      if (!structure) return { error: 'true', message: SPOKEN.nothing };
      const checked = await threads.run('checkStructure', structure, caller);
      return submitChecked(accountId, checked, wish, t, caller);
    },

    /** @throws AppError run4u.… when the structure cannot be run */
    async expect(
      structure: StructureJson,
      t: Translate,
      caller: Caller,
    ): Promise<CallAnswer<typeof run4uExpect>> {
      const { cell, primitiveSites } = await threads.run('checkStructure', structure, caller);
      const [made, { estimates }] = await Promise.all([predictionOf(cell, t, caller), rowContext(t)]);
      const seconds = estimates.ofNew({ nSites: primitiveSites, tasks: [] });
      return {
        error: 'false',
        message: '',
        prediction: 'sentence' in made ? null : made,
        prediction_message: 'sentence' in made ? made.sentence : made.hull_message,
        seconds: seconds === null ? null : Math.round(seconds),
      };
    },

    async dashboard(accountId: number, t: Translate, caller: Caller): Promise<Dashboard> {
      const [history, quota, context] = await Promise.all([
        repository.ofAccount(accountId),
        repository.usedToday(accountId, timeZone),
        rowContext(t),
      ]);
      const newest = history[0];
      const shown = newest ? await threads.run('showCell', newest.structure, caller) : null;
      const { used: limit, predicted: predictedLimit } = limitsOf(quota.ownLimit);
      return {
        user_data: {
          script: shown?.script ?? '',
          lattice: shown?.lattice ?? null,
          symmetry: shown?.symmetry ?? null,
          formula: shown?.formula ?? '',
          structure: shown?.structure ?? null,
          history: history.map((submission, index) => toSubmissionRow(submission, index + 1, context)),
        },
        quota: {
          limit,
          left: Math.max(0, limit - quota.used),
          resets_at: quota.resetsAt.toISOString(),
          predicted: { limit: predictedLimit, left: Math.max(0, predictedLimit - quota.predicted) },
        },
        service: toCalculationService(context, PRESETS[settings.preset]),
      };
    },

    /** @throws AppError run4u.not-found, run4u.not-cancellable */
    async cancel(accountId: number, id: number): Promise<Submitted> {
      const submission = await own(id, accountId);
      if (!(await repository.cancel(submission.id, accountId, 'cancelled', timeZone)))
        throw new AppError('run4u.not-cancellable');
      return { error: 'false', message: SPOKEN.done, id, status: 'cancelled' };
    },

    /** @throws AppError run4u.not-found, run4u.not-resubmittable */
    async resubmit(accountId: number, id: number, t: Translate, caller: Caller): Promise<Submitted> {
      const submission = await own(id, accountId);
      if (submission.status !== 'failed' && submission.status !== 'cancelled')
        throw new AppError('run4u.not-resubmittable');
      const cell = cellToContinue(submission);
      const { structure } = await threads.run('showCell', cell, caller);
      const checked = await threads.run('checkStructure', structure, caller);
      const { method, state } = submission;
      const wish = {
        ...(method === '' ? {} : { method }),
        ...(state.tasks ? { tasks: [...state.tasks] } : {}),
        ...(state.ion ? { ion: state.ion } : {}),
        ...(state.potential ? { potential: state.potential } : {}),
        ...(state.physics ? { physics: [...state.physics] } : {}),
        // The limit of the volume change refers to the first crystal of a chain of resubmissions. Otherwise
        // each resubmission could change the volume by the full limit again.
        ...(cell === submission.structure
          ? {}
          : { startVolume: state.startVolume ?? volumePerAtom(submission.structure) }),
      };
      return submitChecked(accountId, checked, wish, t, caller);
    },

    /** @throws AppError run4u.not-found */
    async detail(accountId: number, id: number, t: Translate, caller: Caller): Promise<SubmissionDetail> {
      const submission = await own(id, accountId);
      const cell = submission.structId === null ? null : await repository.materialCell(submission.structId);
      const { predicted } = submission.state;
      const [context, submitted, relaxed, results, material, rms] = await Promise.all([
        rowContext(t),
        threads.run('showCell', submission.structure, caller),
        predicted && threads.run('showCell', predicted.cell, caller),
        predicted && repository.resultsOf(id),
        cell && threads.run('showCell', cell, caller),
        cell && threads.run('rmsBetween', { a: submission.structure, b: cell }, caller),
      ]);
      return {
        row: {
          ...toSubmissionRow(submission, 1, context),
          ...(submission.status === 'failed' && submission.state.course
            ? { course: submission.state.course }
            : {}),
          ...(predicted && relaxed ? { predicted: toPredicted(predicted, results ?? null, relaxed, t) } : {}),
        },
        submitted,
        match: material && { struct_id: submission.structId!, rms, material },
        runs: (submission.state.runs ?? []).map((run) => ({
          step: run.step,
          wall_seconds: run.wallSeconds,
          cpu_seconds: run.cpuSeconds,
          peak_mb: run.peakMb,
        })),
      };
    },
  };
}

/** The cell for a resubmission: the last step of a relaxation that reached its limit of steps. */
function cellToContinue({ structure, reasonCode, state }: Submission): Submission['structure'] {
  const last = state.course?.frames?.at(-1);
  if (reasonCode !== 'relax-not-converged' || !last) return structure;
  return { ...structure, lattice: last.lattice, coords: last.positions };
}

/** Å³ */
function volumePerAtom(cell: CompactCell): number {
  const { latticeVectors, sites } = fromCompactCell(cell);
  return cellVolume(latticeVectors) / sites.length;
}

// Converts a stored submission into the row shown on the page.

interface RowContext {
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
  return estimates.ofRunning({ nSites, tasks: state.tasks ?? [], potential: state.potential }, spent);
}

function toSubmissionRow(submission: Submission, index: number, context: RowContext): SubmissionRow {
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

function toCalculationService(
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
