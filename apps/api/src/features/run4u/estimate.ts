/**
 * Estimates the time of a calculation. Seconds by atoms, measured on one core with preset `standard`: 2 → 40,
 * 4 → 330, 6 → 395, 10 → 620. The growth is between linear and cubic, because plane waves and bands both grow with
 * the cell. Finished calculations of this site correct the model.
 */
import type { PresetName } from '@unitcell/calculators';
import { BUILT_IN_ENGINE, type PredictedTask } from '@unitcell/contract/run4u';
import type { FinishedRun, QueuePlace, RunningNow, RunSize } from './submissions.repository.ts';

type Speed = PresetName | typeof BUILT_IN_ENGINE;

const SECONDS_OF_ONE_ATOM: Readonly<Record<Speed, number>> = {
  ci: 4,
  standard: 14,
  accurate: 60,
  [BUILT_IN_ENGINE]: 0.05,
};
const GROWTH = 1.8;
/** Minimum number of finished calculations for a correction. */
const ENOUGH_RUNS = 3;

/** Seconds per task of a prediction for one atom, measured on 20 crystals of 1 to 16 atoms; `expansion` on six of 2 to 10. */
const SECONDS_OF_TASK = {
  eos: 0.02,
  elastic: 0.03,
  phonons: 0.02,
  expansion: 0.1,
} as const satisfies Partial<Record<PredictedTask, number>>;
/** Seconds for three hops. The supercell is equally large for every cell. */
const BARRIER_SECONDS = 60;
/**
 * Duration of a task from first principles, relative to the calculation without tasks. Measured on silicon
 * with preset `ci`.
 */
const TASK_OF_PROGRAM = 5;
/**
 * Phonons of a smaller cell take as long as phonons of a cell with this many atoms, because the supercell is
 * equally large.
 */
const PHONON_ATOMS = 8;

/** Time by `sevennet-l3i5`, relative to the default potential (docs/methods/potential.md). */
const TIMES_OF_L3I5 = 3;

function model({ nSites, tasks, potential }: RunSize, preset: Speed): number {
  const timesOneAtom = (atoms: number): number => Math.max(1, atoms) ** GROWTH;
  if (preset !== BUILT_IN_ENGINE)
    return SECONDS_OF_ONE_ATOM[preset] * timesOneAtom(nSites) * (1 + TASK_OF_PROGRAM * tasks.length);
  const total = tasks.reduce(
    (seconds, task) =>
      seconds +
      (task === 'barrier'
        ? BARRIER_SECONDS
        : SECONDS_OF_TASK[task] *
          timesOneAtom(task === 'phonons' || task === 'expansion' ? Math.max(PHONON_ATOMS, nSites) : nSites)),
    SECONDS_OF_ONE_ATOM[preset] * timesOneAtom(nSites),
  );
  return potential === 'sevennet-l3i5' ? TIMES_OF_L3I5 * total : total;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}

export interface Estimator {
  /** Seconds left of a calculation that has been running for `seconds`. */
  ofRunning(run: RunSize, seconds: number): number;
  /** Seconds until a calculation submitted now would be finished. */
  ofNew(run: RunSize): number | null;
  /** Seconds until a waiting submission is finished. */
  ofWaiting(id: number): number | null;
  /** Seconds a calculation takes from its start. */
  ofRun(run: RunSize): number;
  /** Seconds until a submission sent now would start. */
  untilStart(): number | null;
}

/** A calculation that exceeds its estimate is assumed to need this share of the estimate in addition. */
const OVERTIME_SHARE = 0.2;

export interface EstimatorInput {
  /** The waiting submissions, in order. */
  readonly queue: readonly Omit<QueuePlace, 'method'>[];
  readonly running: readonly Omit<RunningNow, 'method'>[];
  /** The latest finished calculations. */
  readonly finished: readonly FinishedRun[];
  readonly preset: Speed;
  /** Number of simultaneous calculations; with 0 the waiting time cannot be estimated. */
  readonly slots: number;
}

export function estimator({ queue, running, finished, preset, slots }: EstimatorInput): Estimator {
  const correction =
    finished.length < ENOUGH_RUNS ? 1 : median(finished.map((run) => run.seconds / model(run, preset)));
  const ofRun = (run: RunSize): number => model(run, preset) * correction;
  const left = (run: RunSize, seconds: number): number =>
    Math.max(ofRun(run) - seconds, ofRun(run) * OVERTIME_SHARE);
  const runningLeft = running.reduce((sum, run) => sum + left(run, run.seconds), 0);
  const waitingRuns = (places: EstimatorInput['queue']): number =>
    places.reduce((sum, run) => sum + ofRun(run), 0);
  return {
    ofRunning: left,
    ofRun,
    untilStart() {
      if (slots === 0) return null;
      return running.length + queue.length < slots ? 0 : (runningLeft + waitingRuns(queue)) / slots;
    },
    ofNew(run) {
      if (slots === 0) return null;
      const before = waitingRuns(queue);
      return (runningLeft + before) / slots + ofRun(run);
    },
    ofWaiting(id) {
      if (slots === 0) return null;
      const place = queue.find((one) => one.id === id);
      if (!place) return null;
      const before = waitingRuns(queue.filter((one) => one.ahead < place.ahead));
      return (runningLeft + before) / slots + ofRun(place);
    },
  };
}
