/** Chemical potentials of a gas for an open interface. The measured tables are fetched with the first preset. */
import { type GasPart, gasPotentials, gasPotentialsAtTemperature } from '@unitcell/phase-equilibria';

interface PresetConditions {
  /** K */
  readonly temperature: number;
  /** True if the solids have Gibbs energies at this temperature. */
  readonly withPhases: boolean;
  /** Zero point of the energy scale: temperature in K at which the elements have zero enthalpy. */
  readonly zero: 0 | 298.15;
}

/** Chemical potentials in eV/atom by element; null if the gases do not determine them. */
export const presetPotentials = (
  gases: readonly GasPart[],
  { temperature, withPhases, zero }: PresetConditions,
): Readonly<Record<string, number>> | null =>
  (withPhases ? gasPotentialsAtTemperature : gasPotentials)(gases, temperature, zero);
