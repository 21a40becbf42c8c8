/** The gas to which a diagram is open, as stored in the address: `open=O2,1073,0.21`. */
import { isReservoir, type Reservoir } from '@unitcell/contract/phase-diagram/rules';
import { TEMPERATURE_LIMITS } from '@unitcell/phase-equilibria';

export interface OpenGasState {
  readonly gas: Reservoir;
  /** K */
  readonly temperature: number;
  /** bar */
  readonly pressure: number;
}

/** A furnace in air. */
export const AIR_FURNACE: OpenGasState = { gas: 'O2', temperature: 1073, pressure: 0.21 };

/** Parses `O2,1073,0.21` from an address; null if it is invalid. */
export function readOpenGas(text: string | null): OpenGasState | null {
  const [gas = '', ...numbers] = (text ?? '').split(',');
  const [temperature = Number.NaN, pressure = Number.NaN] = numbers.map(Number);
  const { min, max } = TEMPERATURE_LIMITS;
  const isPossible = temperature >= min && temperature <= max && pressure > 0 && Number.isFinite(pressure);
  return isReservoir(gas) && isPossible ? { gas, temperature, pressure } : null;
}

export const writeOpenGas = ({ gas, temperature, pressure }: OpenGasState): string =>
  `${gas},${temperature},${pressure}`;
