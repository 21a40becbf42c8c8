/**
 * What a first-principles engine is to the rest of the house: text in, data out. A `Calculator` writes the input
 * files of one step and reads the files the engine left behind; somebody else runs the engine.
 */
import type { Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import type { PresetName } from './presets.ts';

/** Outcomes that all engines have in common. */
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

/** In the order they are run: cell and positions, energy and density, bands along a path, density of states. */
export const CALCULATION_STEPS = ['relax', 'static', 'bands', 'dos'] as const;
export type CalculationStep = (typeof CALCULATION_STEPS)[number];

/** One element's data set (pseudopotential, PAW). */
export interface DataSet {
  readonly element: string;
  /** Name of its file in the folder of the run. */
  readonly fileName: string;
  /** Electrons that are not in the core. */
  readonly valence: number;
  /** For provenance. */
  readonly sha256: string;
}

/** What the workarounds tried so far ask of the next try. Empty for the first. */
export type Workaround =
  /** Mix the density more carefully. */
  | 'gentle-mixing'
  /** Mix very carefully: slow and sure. */
  | 'safest-mixing'
  /** Another algorithm to move the atoms. */
  | 'plain-bfgs'
  /** More room for the cell to grow. */
  | 'wide-cell-range'
  /** Go on from the last geometry. */
  | 'continue';

export interface StepRequest {
  readonly step: CalculationStep;
  readonly title: string;
  /** Ordered: one element at full occupancy on every site. */
  readonly structure: Structure;
  readonly preset: PresetName;
  /** Starting moment of each site, µB; null for a calculation without spin. */
  readonly moments: readonly number[] | null;
  /** True when the crystal is known or guessed to be a metal: it gets the denser mesh. */
  readonly isMetal: boolean;
  /** By element. */
  readonly dataSets: Readonly<Record<string, DataSet>>;
  /** Fractional k-points of the band path; only for `bands`. */
  readonly kPoints?: readonly Vec3[];
  /** Fermi energy of the static step, eV; only for `bands` and `dos`. */
  readonly fermiEnergy?: number;
  readonly workarounds: readonly Workaround[];
}

/** A file that an earlier step left and this one reads. */
export interface NeededFile {
  readonly step: CalculationStep;
  readonly file: string;
  /** Its name in the folder of this run. */
  readonly as: string;
}

export interface RunPlan {
  /** Input files by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly needs: readonly NeededFile[];
  /** Which of the written files `read` wants, by name. */
  readonly reads: RegExp;
  /** Settings worth keeping as provenance. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface RunOutput {
  /** null when a signal ended the engine. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Texts of the files that `RunPlan.reads` asked for. */
  readonly files: Readonly<Record<string, string>>;
}

/** Energies of one spin channel at each k-point, eV. */
export interface Eigenvalues {
  readonly kPoints: readonly Vec3[];
  readonly weights: readonly number[];
  /** One list of band energies (eV, ascending) per k-point. */
  readonly energies: readonly (readonly number[])[];
}

export interface RelaxResult {
  readonly structure: Structure;
  readonly isConverged: boolean;
  /** GPa, before and after. */
  readonly pressureGpa: { readonly first: number; readonly last: number };
  /** µB of the cell; null without spin. */
  readonly magnetization: number | null;
  readonly localMoments: readonly number[];
}

export interface StaticResult {
  /** eV of the cell, extrapolated to zero smearing. */
  readonly energy: number;
  /** eV of the cell, with the entropy of smearing. */
  readonly freeEnergy: number;
  /** eV */
  readonly fermiEnergy: number;
  /** Largest force on an atom, eV/Å. */
  readonly maxForce: number;
  readonly pressureGpa: number;
  readonly magnetization: number | null;
  readonly localMoments: readonly number[];
  /** One or two spin channels on the mesh. */
  readonly eigenvalues: readonly Eigenvalues[];
}

export interface BandsResult {
  readonly eigenvalues: readonly Eigenvalues[];
}

export interface DosResult {
  /** eV, absolute like all eigenvalues of the run. */
  readonly energies: readonly number[];
  /** States/eV and cell, per spin channel. */
  readonly total: readonly (readonly number[])[];
  /** Keys such as `Si p` or, with spin, `Fe d up`. */
  readonly projected: Readonly<Record<string, readonly number[]>>;
}

export interface StepResults {
  readonly relax: RelaxResult;
  readonly static: StaticResult;
  readonly bands: BandsResult;
  readonly dos: DosResult;
}

/** Why a step cannot be done; a person's sentence is made of it elsewhere. */
export type FailureCode =
  | 'scf-not-converged'
  | 'relax-not-converged'
  | 'out-of-memory'
  | 'engine-refused'
  | 'engine-crashed'
  | 'time-limit'
  | 'output-incomplete';

export type StepOutcome<S extends CalculationStep = CalculationStep> =
  | { readonly kind: 'done'; readonly result: StepResults[S]; readonly warnings: readonly string[] }
  /** Worth another try, with the workarounds named and (when given) from this geometry. */
  | {
      readonly kind: 'retry';
      readonly workarounds: readonly Workaround[];
      readonly structure?: Structure;
      readonly cause: string;
    }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string };

export interface Calculator {
  readonly name: string;
  /** @throws CalculatorError when the request cannot be written down */
  plan(request: StepRequest): RunPlan;
  /** Judges what a run left behind; never throws for bad outputs. */
  read<S extends CalculationStep>(
    request: StepRequest & { readonly step: S },
    output: RunOutput,
  ): StepOutcome<S>;
  /**
   * The last geometry that a relaxation which was cut off left in its files, sites in the order of the request; null when
   * there is none.
   */
  resume(request: StepRequest, files: RunOutput['files']): Structure | null;
}
