/** An engine on this machine: its calculator, its data sets and its command. */
import type { Calculator, DataSet, StepRequest } from '@unitcell/calculators';
import type { EngineName } from '../run4u-settings.ts';

export interface Engine {
  readonly name: EngineName;
  readonly version: string;
  readonly calculator: Calculator;
  /** Energies on the same scale are comparable: one hull per scale. */
  readonly energyScale: string;
  /** Data sets of the supported elements, and the elements without one. */
  dataSets(elements: readonly string[]): Promise<{
    readonly found: Readonly<Record<string, DataSet>>;
    readonly missing: readonly string[];
  }>;
  /** Puts the data sets of a request into its run folder. */
  prepare(request: StepRequest, folder: string): Promise<void>;
  /** The command of a run with `seconds` of wall time. */
  command(request: StepRequest, seconds: number): readonly string[];
}

/** Either an engine, or what the operator must install. */
export type Detection = { readonly engine: Engine } | { readonly engine: null; readonly missing: string };
