/** What a submission remembers between steps: enough for any worker to go on from the last finished one. */
import type { CalculationStep, Workaround } from '@unitcell/calculators';
import { PIPELINE_STEPS, type PipelineStep } from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { MessageParameters } from '../../../messages/messages.ts';

export interface EngineRun {
  readonly step: CalculationStep;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

export interface SubmissionState {
  readonly done?: readonly PipelineStep[];
  /** Times each step was begun: a step that kills its worker again and again is given up. */
  readonly begun?: Readonly<Partial<Record<PipelineStep, number>>>;
  /** Faults of the machinery since the last finished step. */
  readonly faults?: number;
  /** Geometry the next step starts from. */
  readonly cell?: CompactCell;
  /** µB per site of `cell`; null without spin. */
  readonly moments?: readonly number[] | null;
  readonly isMetal?: boolean;
  readonly workarounds?: readonly Workaround[];
  /** Folder of each finished calculation, below the submission's own. */
  readonly folders?: Readonly<Partial<Record<CalculationStep, string>>>;
  /** The run under way: found again by whoever goes on. */
  readonly running?: { readonly folder: string; readonly handle: string } | null;
  readonly runs?: readonly EngineRun[];
  readonly settings?: Readonly<Partial<Record<CalculationStep, Readonly<Record<string, unknown>>>>>;
  readonly warnings?: readonly string[];
  /** eV, of the static step. */
  readonly fermiEnergy?: number;
  /** The band path through the Brillouin zone of `cell`, made together with it. */
  readonly kPoints?: readonly Vec3[];
  readonly kDistance?: readonly number[];
  readonly kLabels?: readonly { readonly index: number; readonly label: string }[];
  /** Rows, 1/Å with 2π, of `cell`. */
  readonly reciprocalLattice?: Mat3;
  readonly reasonParameters?: MessageParameters;
  /** The id the result will have, drawn before it is stored, so that storing twice stores once. */
  readonly reservedId?: number;
}

export const nextStep = (state: SubmissionState): PipelineStep | null =>
  PIPELINE_STEPS.find((step) => !(state.done ?? []).includes(step)) ?? null;

/** 0 to 1 */
export const progressOf = (state: SubmissionState): number =>
  (state.done ?? []).length / PIPELINE_STEPS.length;

/** The state with a step finished. */
export const withDone = (state: SubmissionState, step: PipelineStep): SubmissionState => ({
  ...state,
  done: [...(state.done ?? []), step],
  faults: 0,
  running: null,
});

/** The state with a step and all behind it to be done again, because what they left behind is gone. */
export function withoutStep(state: SubmissionState, step: PipelineStep): SubmissionState {
  const from = PIPELINE_STEPS.indexOf(step);
  return {
    ...state,
    done: (state.done ?? []).filter((one) => PIPELINE_STEPS.indexOf(one) < from),
    running: null,
  };
}
