/** The gases to which a diagram is open, as stored in the address: `open=O2,1073,0.21`, `open=H2O,1073,0.03,H2,0.97`. */
import { HULL_TEMPERATURE, isReservoir, type Reservoir } from '@unitcell/contract/phase-diagram/rules';
import { STABILITY_TEMPERATURES } from '@unitcell/contract/stability/rules';

export interface OpenGasState {
  readonly gas: Reservoir;
  /** K */
  readonly temperature: number;
  /** bar */
  readonly pressure: number;
  readonly second: { readonly gas: Reservoir; readonly pressure: number } | null;
}

/** A furnace in air. */
export const AIR_FURNACE: OpenGasState = { gas: 'O2', temperature: 1073, pressure: 0.21, second: null };

/** Parses `O2,1073,0.21` or `H2O,1073,0.03,H2,0.97` from an address; null if it is invalid. */
export function readOpenGas(text: string | null): OpenGasState | null {
  const [gas = '', kelvin, bar, other, otherBar] = (text ?? '').split(',');
  const [temperature, pressure] = [Number(kelvin), Number(bar)];
  const { min, max } = STABILITY_TEMPERATURES;
  const isPressure = (value: number): boolean => value > 0 && Number.isFinite(value);
  if (!isReservoir(gas) || !(temperature >= min && temperature <= max) || !isPressure(pressure)) return null;
  if (other === undefined) return { gas, temperature, pressure, second: null };
  const second = Number(otherBar);
  return isReservoir(other) && isPressure(second)
    ? { gas, temperature, pressure, second: { gas: other, pressure: second } }
    : null;
}

export const writeOpenGas = ({ gas, temperature, pressure, second }: OpenGasState): string =>
  [gas, temperature, pressure, ...(second ? [second.gas, second.pressure] : [])].join(',');

/** Temperature of the phases from the address, K; null for plain energies. */
export function readTemperature(text: string | null): number | null {
  const { min, max } = HULL_TEMPERATURE;
  const temperature = Number(text ?? Number.NaN);
  return temperature >= min && temperature <= max ? temperature : null;
}

export interface Conditions {
  readonly open: OpenGasState | null;
  /** Temperature of the phases, K; null for plain energies. */
  readonly temperature: number | null;
}

/** Sets the temperature of the phases. The gas gets the same temperature. */
export const withTemperature = ({ open }: Conditions, temperature: number | null): Conditions => ({
  open: open && temperature !== null ? { ...open, temperature } : open,
  temperature,
});

/** Gas and temperature of the phases in an address; the gas has the same temperature. */
export const readConditions = (parameters: URLSearchParams): Conditions =>
  withTemperature(
    { open: readOpenGas(parameters.get('open')), temperature: null },
    readTemperature(parameters.get('temperature')),
  );

/** The parameters of an address for gas and temperature. */
export const conditionParameters = ({ open, temperature }: Conditions): Readonly<Record<string, string>> => ({
  ...(open === null ? {} : { open: writeOpenGas(open) }),
  ...(temperature === null ? {} : { temperature: String(temperature) }),
});

/**
 * Sets the gas. A new gas takes the temperature of the phases; a changed gas temperature also applies to the phases.
 */
export function withGas({ open: before, temperature }: Conditions, open: OpenGasState | null): Conditions {
  if (temperature === null || open === null) return { open, temperature };
  return before === null
    ? withTemperature({ open, temperature }, temperature)
    : { open, temperature: readTemperature(String(open.temperature)) };
}
