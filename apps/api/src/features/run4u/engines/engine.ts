/** The engines that a worker can have. */
import type { Calculator, DataSet, StepRequest } from '@unitcell/calculators';
import { BUILT_IN_ENGINE } from '@unitcell/contract/run4u';
import type { ProgramName } from '../run4u-settings.ts';

/** A program that calculates from first principles: its calculator, its data sets and its command. */
export interface Engine {
  readonly name: ProgramName;
  readonly version: string;
  readonly calculator: Calculator;
  /** The energy scale of a functional, such as `PBE` or `PBE+U`. Energies on one scale are comparable: one hull per scale. */
  energyScale(functional: string): string;
  /** Data sets of the supported elements, and the elements without a data set. */
  dataSets(elements: readonly string[]): Promise<{
    readonly found: Readonly<Record<string, DataSet>>;
    readonly missing: readonly string[];
  }>;
  /** Puts the data sets of a request into its run folder. */
  prepare(request: StepRequest, folder: string): Promise<void>;
  /** The command of a run with `seconds` of wall time. */
  command(request: StepRequest, seconds: number): readonly string[];
}

/** The built-in interatomic potential. It only predicts and calculates nothing from first principles. */
export interface BuiltInEngine {
  readonly name: typeof BUILT_IN_ENGINE;
  readonly version: string;
}

export const isBuiltIn = (engine: Engine | BuiltInEngine): engine is BuiltInEngine =>
  engine.name === BUILT_IN_ENGINE;

/** Either a program, or what the operator must install. */
export type ProgramDetection =
  | { readonly engine: Engine }
  | { readonly engine: null; readonly missing: string };
export type Detection = ProgramDetection | { readonly engine: BuiltInEngine };
