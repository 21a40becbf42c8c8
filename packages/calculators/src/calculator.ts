/**
 * Interface of a first-principles engine: text in, data out. A `Calculator` writes the input files of one
 * step and reads the files that the engine left; other code runs the engine.
 */
import type { Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import type { PresetName } from './presets.ts';

/** Handling of failed and repeated steps, which is the same for all engines. */
export type Failed = Extract<StepOutcome, { kind: 'failed' }>;
export type Retry = Extract<StepOutcome, { kind: 'retry' }>;

/** Number of characters of an engine's own message that are kept. */
const MAX_DETAIL = 400;

/** Number of times a relaxation may continue from its last geometry. */
const MAX_CONTINUATIONS = 4;

/** @param detail the engine's own message; white space and control characters are collapsed, its length is limited */
export const failed = (code: FailureCode, detail: string): Failed => ({
  kind: 'failed',
  code,
  detail: detail
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL),
});

/** The next mixing scheme of the density, or failure if all three have been tried. */
export function scfRetry({ workarounds }: StepRequest): Retry | Failed {
  if (workarounds.includes('safest-mixing'))
    return failed('scf-not-converged', 'not converged with three ways of mixing the density');
  const next = workarounds.includes('gentle-mixing') ? 'safest-mixing' : 'gentle-mixing';
  return { kind: 'retry', workarounds: [...workarounds, next], cause: 'the charge density did not converge' };
}

/** Whether a relaxation has reached the limit of continuations. */
export const isContinuedEnough = ({ workarounds }: StepRequest): boolean =>
  workarounds.filter((one) => one === 'continue').length >= MAX_CONTINUATIONS;

/**
 * Standard steps in the order of execution: relaxation of cell and positions, energy and density, bands along a
 * path, density of states.
 */
export const CALCULATION_STEPS = ['relax', 'static', 'bands', 'dos'] as const;
/**
 * Optional steps: elastic tensor by stresses of strained cells; second derivatives of the energy with
 * respect to displacements and electric fields.
 */
export type ResponseStep = 'elastic' | 'phonons';
export type CalculationStep = (typeof CALCULATION_STEPS)[number] | ResponseStep;

/** Optional abilities of an engine: physical settings and optional steps. */
export type Ability = 'hubbard-u' | 'dispersion' | ResponseStep;

/** The data set of one element (pseudopotential or PAW). */
export interface DataSet {
  readonly element: string;
  /** File name in the folder of the run. */
  readonly fileName: string;
  /** Number of electrons outside the core. */
  readonly valence: number;
  /** Stored as provenance. */
  readonly sha256: string;
}

/**
 * Changes for the next attempt; each attempt keeps the changes of all earlier attempts. The first attempt has no
 * changes.
 */
export type Workaround =
  /** The density is mixed more carefully. */
  | 'gentle-mixing'
  /** The density is mixed very carefully, which is slow but robust. */
  | 'safest-mixing'
  /** Another algorithm moves the atoms. */
  | 'plain-bfgs'
  /** The cell may grow more before the plane waves are insufficient. */
  | 'wide-cell-range'
  /** The relaxation continues from the last geometry. */
  | 'continue';

export interface StepRequest {
  readonly step: CalculationStep;
  readonly title: string;
  /** An ordered structure: one element at full occupancy on every site. */
  readonly structure: Structure;
  readonly preset: PresetName;
  /** Starting moment of each site, µB; null for a calculation without spin. */
  readonly moments: readonly number[] | null;
  /** Whether the crystal is known or assumed to be a metal. Metals get a denser mesh. */
  readonly isMetal: boolean;
  /** Effective U of the d electrons by element, eV; absent or empty: none. */
  readonly hubbardU?: Readonly<Record<string, number>>;
  /** Whether the dispersion correction D3 with Becke–Johnson damping is added. */
  readonly hasDispersion?: boolean;
  readonly dataSets: Readonly<Record<string, DataSet>>;
  /** Fractional k-points of the band path; only for `bands`. */
  readonly kPoints?: readonly Vec3[];
  /** Fermi energy of the static step, eV; only for `bands` and `dos`. */
  readonly fermiEnergy?: number;
  readonly workarounds: readonly Workaround[];
}

/** A file left by an earlier step that this step reads. */
export interface NeededFile {
  readonly step: CalculationStep;
  readonly file: string;
  /** File name in the folder of this run. */
  readonly as: string;
}

export interface RunPlan {
  /** Input files by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly needs: readonly NeededFile[];
  /** Matches the names of the files that `read` needs. */
  readonly reads: RegExp;
  /** Settings stored as provenance. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface RunOutput {
  /** Null if a signal ended the engine. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Texts of the files matched by `RunPlan.reads`. */
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
  /** Magnetisation of the cell, µB; null without spin, and if the engine does not write it. */
  readonly magnetization: number | null;
  readonly localMoments: readonly number[];
}

export interface StaticResult {
  /** Energy of the cell extrapolated to zero smearing, eV. */
  readonly energy: number;
  /** Energy of the cell including the smearing entropy, eV. */
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
  /** eV; absolute, like all eigenvalues of the run. */
  readonly energies: readonly number[];
  /** States/eV and cell, for each spin channel. */
  readonly total: readonly (readonly number[])[];
  /** Keys are `Si p` or, with spin, `Fe d up`. */
  readonly projected: Readonly<Record<string, readonly number[]>>;
}

export interface ElasticResult {
  /** 6×6, GPa, order xx yy zz yz xz xy, in the axes of the structure; atoms are relaxed. */
  readonly tensor: readonly (readonly number[])[];
}

export interface PhononsResult {
  /** Text of the derivative database (DDB) in ABINIT's format. */
  readonly derivatives: string;
}

export interface StepResults {
  readonly relax: RelaxResult;
  readonly static: StaticResult;
  readonly bands: BandsResult;
  readonly dos: DosResult;
  readonly elastic: ElasticResult;
  readonly phonons: PhononsResult;
}

/** Reasons why a step fails; other code translates them into sentences. */
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
  /** The step is to be repeated with these workarounds and, if given, from this geometry. */
  | {
      readonly kind: 'retry';
      readonly workarounds: readonly Workaround[];
      readonly structure?: Structure;
      readonly cause: string;
    }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string };

export interface Calculator {
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** Charge density left by the static step, in a form that `readAbinitVolume` reads. */
  readonly densityFile?: string;
  /** @throws CalculatorError when no input can be written for the request */
  plan(request: StepRequest): RunPlan;
  /** Evaluates the files of a run; never throws for invalid outputs. */
  read<S extends CalculationStep>(
    request: StepRequest & { readonly step: S },
    output: RunOutput,
  ): StepOutcome<S>;
  /**
   * The last geometry in the files of an interrupted relaxation, with sites in the order of the request; null if there
   * is none.
   */
  resume(request: StepRequest, files: RunOutput['files']): Structure | null;
}
