/** Predicts a submission by the built-in potential, in seconds. An interrupted prediction starts again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelineStep } from '@unitcell/contract/run4u';
import { fromCompactCell } from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { type MissingPhase, subsystems } from '@unitcell/phase-equilibria';
import { type Caller, TaskRefused } from '../../../infra/thread-pool.ts';
import type { MessageParameters, Note } from '../../../messages/messages.ts';
import type { ReasonCode } from '../../../messages/groups/run4u.ts';
import { refusalMessage } from '../../../domain/potential/refusals.ts';
import { type PotentialThread, PREDICTION_SECONDS } from '../engines/engine.ts';
import { emptyCourse, MAX_FRAMES, readCourse } from '../engines/relaxation-course.ts';
import type { PredictedResults, SubmissionState } from '../../../infra/stored-json.ts';
import { type Submission, SubmissionFailed, withDone } from '../submission.ts';
import type { SubmissionsRepository } from '../submissions.repository.ts';
import { elementsOf } from './calculate.ts';
import { MAX_BEGINNINGS, refuseExisting } from './run-submission.ts';

export interface PredictionTools {
  readonly materials: Pick<SubmissionsRepository, 'materialsOf' | 'knownPhases' | 'keepResults'> & {
    /** Stable compounds that are missing in the catalogue; null: unknown. */
    missingCompounds(elements: readonly string[]): Promise<readonly MissingPhase[] | null>;
  };
  readonly potential: PotentialThread;
  readonly signal: AbortSignal;
  /** @throws LeaseLost */
  save(step: PipelineStep, state: SubmissionState): Promise<void>;
}

/** Refusals of the potential that have their own text for users. */
const REASONS: Readonly<Record<string, ReasonCode>> = {
  'unknown-element': 'no-parameters',
  'too-large': 'too-large',
  'overlapping-atoms': 'overlapping-atoms',
  'isolated-atom': 'isolated-atom',
  'large-force': 'large-force',
  'volume-change': 'volume-change',
};

function failureOf(error: unknown): unknown {
  if (error instanceof TaskRefused && error.reason === 'too-costly')
    return new SubmissionFailed('prediction-time-limit', { minutes: PREDICTION_SECONDS / 60 });
  if (!(error instanceof ScienceError)) return error;
  if (error.code === 'not-converged')
    return new SubmissionFailed('relax-not-converged', {
      detail: { key: 'potential.continue-relaxation', parameters: error.parameters as MessageParameters },
    });
  const detail = refusalMessage(error);
  return new SubmissionFailed(REASONS[error.code] ?? 'not-calculable', {
    ...detail.parameters,
    ...(typeof error.parameters.element === 'string' ? { elements: error.parameters.element } : {}),
    detail,
  });
}

/** Interval at which the course of a running relaxation is stored. */
const FOLLOW_MILLISECONDS = 700;

type Tools = PredictionTools & { readonly caller: Caller };

/** Relaxes the crystal and stores the course while it runs. */
async function relaxFollowed(
  structure: Submission['structure'],
  state: SubmissionState,
  { potential, save, signal, caller }: Tools,
) {
  const atoms = fromCompactCell(structure).sites.length;
  const buffer = emptyCourse(atoms);
  const over = new AbortController();
  const following = (async () => {
    let savedSteps = 0;
    for (;;) {
      await sleep(FOLLOW_MILLISECONDS, undefined, { signal: AbortSignal.any([over.signal, signal]) });
      const course = readCourse(buffer, atoms, 1);
      if (course.energies.length > savedSteps) await save('relax', { ...state, course });
      savedSteps = course.energies.length;
    }
  })().catch(() => undefined);
  try {
    const request = {
      cell: structure,
      tasks: state.tasks ?? [],
      startVolume: state.startVolume,
      potential: state.potential,
      course: buffer,
    };
    const predicted = await potential.run('relaxCrystal', request, caller);
    return { predicted, course: readCourse(buffer, atoms, MAX_FRAMES) };
  } catch (error) {
    // The last step shows what happened, and a new submission can continue from it.
    const course = readCourse(buffer, atoms, 1);
    if (error instanceof ScienceError && course.energies.length > 0) {
      over.abort();
      await following;
      await save('relax', { ...state, course });
    }
    throw error;
  } finally {
    over.abort();
    // A late write of the course must not undo the next step.
    await following;
  }
}

/** Refusals of a task that have their own text. */
const TASK_REASONS = {
  'no-ion': 'potential.no-ion',
  'no-hop': 'potential.no-hop',
  'hop-too-large': 'potential.hop-too-large',
} as const;

/** The reason why a task gave no result. The submission keeps its other results. */
function taskFailure(error: unknown): Note {
  if (error instanceof TaskRefused && error.reason === 'too-costly')
    return ['potential.task-time-limit', { minutes: PREDICTION_SECONDS / 60 }];
  if (error instanceof ScienceError && error.code in TASK_REASONS)
    return [TASK_REASONS[error.code as keyof typeof TASK_REASONS], error.parameters as MessageParameters];
  if (error instanceof ScienceError) return ['potential.task-failed', { detail: refusalMessage(error) }];
  throw error;
}

/** Largest number of compounds listed as missing. */
const MAX_NAMED = 12;

/** Lists compounds without any crystal in the catalogue. */
const missingOf = (missing: readonly MissingPhase[] | null) =>
  missing === null
    ? {}
    : {
        missing: missing
          .flatMap(({ formula, heldAbove }) => (heldAbove === null ? [formula] : []))
          .slice(0, MAX_NAMED),
      };

/**
 * @returns the final state with the result in `predicted`; further results are stored separately
 * @throws SubmissionFailed, AlreadyExists, LeaseLost, or the reason of the signal
 */
export async function predictSubmission(
  { id, method, structure, state: given }: Pick<Submission, 'id' | 'method' | 'structure' | 'state'>,
  tools: PredictionTools,
): Promise<SubmissionState> {
  const { materials, potential, signal, save } = tools;
  const caller: Caller = { owner: '', signal };
  const begun = (given.begun?.relax ?? 0) + 1;
  if (begun > MAX_BEGINNINGS) throw new SubmissionFailed('gave-up', { step: 'relax', times: MAX_BEGINNINGS });
  let state: SubmissionState = {
    ...given,
    done: [],
    running: null,
    begun: { ...given.begun, relax: begun },
  };
  const { tasks = [], potential: model } = state;
  try {
    await save('deduplicate', state);
    // A requested prediction is also made for a known crystal.
    if (method !== 'prediction') await refuseExisting(structure, { materials });
    state = withDone(state, 'deduplicate');
    await save('relax', state);
    const { predicted, course } = await relaxFollowed(structure, state, { ...tools, caller });
    state = withDone({ ...state, course, predicted }, 'relax');
    await save('hull', state);
    const { cell, energyPerAtom } = predicted;
    const elements = elementsOf(structure);
    const phases = await materials.knownPhases(subsystems(elements));
    const missing = await materials.missingCompounds(elements);
    const hull = await potential
      .run('placeCrystal', { cell, energyPerAtom, phases, potential: model }, caller)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        return { reason: taskFailure(error) };
      });
    state = withDone(state, 'hull');
    let results: PredictedResults = {
      course,
      failed: [],
      ...('reason' in hull ? { hullReason: hull.reason } : { hull: { ...hull, ...missingOf(missing) } }),
    };
    for (const task of tasks) {
      await save(task, state);
      try {
        const found = await potential.run(
          'predictProperty',
          { cell, task, ion: state.ion, potential: model },
          caller,
        );
        results = { ...results, ...found };
      } catch (error) {
        signal.throwIfAborted();
        results = { ...results, failed: [...results.failed, { task, reason: taskFailure(error) }] };
      }
      state = withDone(state, task);
    }
    await materials.keepResults(id, results);
    const { course: _, ...end } = state;
    return end;
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}
