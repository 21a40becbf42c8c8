/** Chemical potentials of a gas for an open interface. The measured tables are fetched with the first preset. */
import { type GasPart, gasPotentials, gasPotentialsAtTemperature } from '@unitcell/phase-equilibria';

interface PresetConditions {
  /** K */
  readonly temperature: number;
  /** Whether the solids have Gibbs energies at this temperature. */
  readonly withPhases: boolean;
  /** K, from which plain energies count */
  readonly zero: 0 | 298.15;
}

/** eV/atom by element; null if the gases do not fix them */
export const presetPotentials = (
  gases: readonly GasPart[],
  { temperature, withPhases, zero }: PresetConditions,
): Readonly<Record<string, number>> | null =>
  (withPhases ? gasPotentialsAtTemperature : gasPotentials)(gases, temperature, zero);
