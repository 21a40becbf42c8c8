/** A submission as it is stored, its state between steps, and the errors that end it early. */
import type { CalculationStep, Workaround } from '@unitcell/calculators';
import {
  PIPELINE_STEPS,
  type PipelineStep,
  type PredictedTask,
  type ProgramStep,
  type RelaxationCourse,
  type RunMethod,
  type SubmissionDetail,
  type SubmissionStatus,
} from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { MessageParameters, Note } from '../../messages/messages.ts';
import type { ReasonCode } from '../../messages/groups/run4u.ts';

export interface Submission {
  readonly id: number;
  readonly accountId: number;
  readonly status: SubmissionStatus;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly structure: CompactCell;
  /** Atoms of its primitive cell. */
  readonly nSites: number;
  /** Empty: the workers choose by the engine that they have. */
  readonly method: RunMethod | '';
  readonly structId: number | null;
  /** For operators, in English; users see the text of `reasonCode`. */
  readonly reason: string;
  readonly reasonCode: string;
  readonly step: PipelineStep | '';
  readonly state: SubmissionState;
  /** How often workers have claimed the submission; this number identifies the lease. */
  readonly attempt: number;
  readonly leaseOwner: string | null;
  readonly submittedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export const isOpen = ({ status }: Pick<Submission, 'status'>): boolean =>
  status === 'queued' || status === 'running';

export interface EngineRun {
  readonly step: CalculationStep;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** The result of the built-in potential. It is not a material, because its energies are on a separate scale. */
export interface Prediction {
  /** Name and version of the model. */
  readonly model: string;
  /** The submitted cell, relaxed. */
  readonly cell: CompactCell;
  /** eV, raw scale of the model. */
  readonly energyPerAtom: number;
  /** eV/Å */
  readonly maxForce: number;
  readonly pressureGpa: number;
  readonly warnings: readonly Note[];
}

type PredictedRow = NonNullable<SubmissionDetail['row']['predicted']>;

/** Predicted properties besides the relaxed crystal. Lists of submissions do not include them: curves are long. */
export interface PredictedResults
  extends Pick<PredictedRow, 'course' | 'hull' | 'eos' | 'elastic' | 'elastic_moduli' | 'phonons'> {
  /** Why the energy could not be compared with the hull. */
  readonly hullReason?: Note;
  readonly failed: readonly { readonly task: PredictedTask; readonly reason: Note }[];
}

/** State between steps. It lets any worker continue after the last finished step. */
export interface SubmissionState {
  readonly done?: readonly PipelineStep[];
  /** How often each step was started. A step that repeatedly kills its worker is not started again. */
  readonly begun?: Readonly<Partial<Record<PipelineStep, number>>>;
  /** Infrastructure faults since the last finished step. */
  readonly faults?: number;
  /** Geometry from which the next step starts. */
  readonly cell?: CompactCell;
  /** µB per site of `cell`; null without spin. */
  readonly moments?: readonly number[] | null;
  readonly isMetal?: boolean;
  readonly workarounds?: readonly Workaround[];
  /** Folder of each finished calculation, below the submission's own. */
  readonly folders?: Readonly<Partial<Record<CalculationStep, string>>>;
  /** The running run. A worker that continues the submission attaches to it. */
  readonly running?: { readonly folder: string; readonly handle: string } | null;
  readonly runs?: readonly EngineRun[];
  readonly settings?: Readonly<Partial<Record<CalculationStep, Readonly<Record<string, unknown>>>>>;
  readonly warnings?: readonly string[];
  /** Fermi energy of the static step, eV. */
  readonly fermiEnergy?: number;
  /** The band path through the Brillouin zone of `cell`, made together with it. */
  readonly kPoints?: readonly Vec3[];
  readonly kDistance?: readonly number[];
  readonly kLabels?: readonly { readonly index: number; readonly label: string }[];
  /** Reciprocal lattice vectors of `cell` as rows, 1/Å including 2π. */
  readonly reciprocalLattice?: Mat3;
  readonly reasonParameters?: MessageParameters;
  /** For a prediction: properties that are predicted besides the energy. */
  readonly tasks?: readonly PredictedTask[];
  /** For a running prediction: its relaxation so far. */
  readonly course?: RelaxationCourse;
  readonly predicted?: Prediction;
  /** The id of the result. It is reserved before the result is stored, so that storing is idempotent. */
  readonly reservedId?: number;
}

export const nextStep = (state: SubmissionState): ProgramStep | null =>
  PIPELINE_STEPS.find((step) => !(state.done ?? []).includes(step)) ?? null;

/** Finished share of the steps, 0 to 1. */
export const progressOf = ({ method, state }: Pick<Submission, 'method' | 'state'>): number =>
  (state.done ?? []).length /
  (method === 'prediction' ? predictionSteps(state).length : PIPELINE_STEPS.length);

/** The steps of a prediction, in order. */
export const predictionSteps = ({ tasks = [] }: Pick<SubmissionState, 'tasks'>): readonly PipelineStep[] => [
  'deduplicate',
  'relax',
  'hull',
  ...tasks,
];

/** The state with a step finished. */
export const withDone = (state: SubmissionState, step: PipelineStep): SubmissionState => ({
  ...state,
  done: [...(state.done ?? []), step],
  faults: 0,
  running: null,
});

/** The state with a step and all later ones undone, because their files are gone. */
export function withoutStep(state: SubmissionState, step: ProgramStep): SubmissionState {
  const later = new Set<PipelineStep>(PIPELINE_STEPS.slice(PIPELINE_STEPS.indexOf(step)));
  return {
    ...state,
    done: (state.done ?? []).filter((one) => !later.has(one)),
    running: null,
  };
}

/** The submission cannot be calculated; a retry would not help. */
export class SubmissionFailed extends Error {
  override readonly name = 'SubmissionFailed';
  constructor(
    readonly reason: ReasonCode,
    readonly parameters: MessageParameters = {},
  ) {
    super(`${reason} ${JSON.stringify(parameters)}`);
  }
}

/** The submission must be continued later, because the infrastructure is at fault or stopping. */
export class SubmissionPostponed extends Error {
  override readonly name = 'SubmissionPostponed';
  constructor(
    readonly reason: ReasonCode,
    readonly delaySeconds: number,
  ) {
    super(`${reason}, again in ${delaySeconds} s`);
  }
}

/** The crystal is in the database already. */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
  constructor(readonly structId: number) {
    super(`material ${structId}`);
  }
}
