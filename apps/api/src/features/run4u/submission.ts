/** A submission as it is stored, its state between steps, and the errors that end it early. */
import {
  PIPELINE_STEPS,
  type PipelineStep,
  type PredictedTask,
  type ProgramStep,
  RESPONSE_TASKS,
  type RunMethod,
  type RunPhysics,
  type SubmissionStatus,
} from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import type { SubmissionState } from '../../infra/stored-json.ts';
import type { MessageParameters } from '../../messages/messages.ts';
import type { ReasonCode } from '../../messages/groups/run4u.ts';

export interface Submission {
  readonly id: number;
  readonly accountId: number;
  readonly status: SubmissionStatus;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly structure: CompactCell;
  /** Number of atoms in the primitive cell. */
  readonly nSites: number;
  /** Empty: the workers choose by the engine that they have. */
  readonly method: RunMethod | '';
  readonly structId: number | null;
  /** For operators, in English; users see the text of `reasonCode`. */
  readonly reason: string;
  readonly reasonCode: string;
  readonly step: PipelineStep | '';
  readonly state: SubmissionState;
  /** How often workers have claimed the submission and operators have queued it again; this number identifies the lease. */
  readonly attempt: number;
  readonly leaseOwner: string | null;
  readonly submittedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export const isOpen = ({ status }: Pick<Submission, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** The steps of a calculation from first principles, in order; tasks run before the result is stored. */
const programSteps = ({ tasks = [] }: Pick<SubmissionState, 'tasks'>): readonly ProgramStep[] =>
  PIPELINE_STEPS.flatMap((step) =>
    step === 'ingest' ? [...RESPONSE_TASKS.filter((task) => tasks.includes(task)), step] : [step],
  );

export const nextStep = (state: SubmissionState): ProgramStep | null =>
  programSteps(state).find((step) => !(state.done ?? []).includes(step)) ?? null;

/** Whether tasks or physics were requested that the catalogue may lack for a known crystal. */
export const isSpecial = ({
  tasks = [],
  physics = [],
}: {
  readonly tasks?: readonly PredictedTask[] | undefined;
  readonly physics?: readonly RunPhysics[] | undefined;
}): boolean => tasks.length + physics.length > 0;

/** Finished share of the steps, 0 to 1. */
export const progressOf = ({ method, state }: Pick<Submission, 'method' | 'state'>): number =>
  (state.done ?? []).length / (method === 'prediction' ? predictionSteps(state) : programSteps(state)).length;

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

/** The state with a step and all later steps undone, because their files are gone. */
export function withoutStep(state: SubmissionState, step: ProgramStep): SubmissionState {
  const steps = programSteps(state);
  const later = new Set<PipelineStep>(steps.slice(steps.indexOf(step)));
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
