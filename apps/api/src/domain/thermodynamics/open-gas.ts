/**
 * Reads the gas, or the mixture of two gases, that exchanges elements with phases, and its chemical
 * potentials; and the temperature of the phases.
 */
import {
  isReservoir,
  type openGas,
  type Reservoirs,
  RESERVOIRS,
  zeroOfScale,
} from '@unitcell/contract/phase-diagram';
import {
  gasPotentials,
  gasPotentialsAtTemperature,
  HULL_TEMPERATURES,
  TEMPERATURE_LIMITS,
} from '@unitcell/phase-equilibria';
import type { z } from 'zod';
import { AppError } from '../../messages/app-error.ts';

export type OpenTo = Reservoirs;
export type TypedOpenGas = z.infer<typeof openGas>;

/** @throws AppError phase.unknown-gas, stability.bad-pressure */
function readGas({ gas, pressure }: { readonly gas: string; readonly pressure: number }) {
  if (!isReservoir(gas))
    throw new AppError('phase.unknown-gas', {
      gas: gas.slice(0, 20),
      known: Object.keys(RESERVOIRS).join(', '),
    });
  if (!(pressure > 0)) throw new AppError('stability.bad-pressure', { gas, value: pressure });
  return { gas, pressure };
}

/**
 * The temperature of the phases; undefined below 300 K, where the phases have plain 0 K energies.
 * @throws AppError phase.bad-temperature, phase.two-temperatures
 */
export function readPhaseTemperature(value: number | undefined, gas?: TypedOpenGas): number | undefined {
  const { min, max } = HULL_TEMPERATURES;
  if (value === undefined) return undefined;
  if (!(value >= 0 && value <= max)) throw new AppError('phase.bad-temperature', { value, min, max });
  if (value < min) return undefined;
  if (gas && gas.temperature !== value)
    throw new AppError('phase.two-temperatures', { phases: value, gas: gas.temperature });
  return value;
}

/**
 * @param functional energy scale of the phases; its 0 K energies and the chemical potentials have the same
 * zero
 * @param phasesAt temperature of the phases; undefined for plain energies
 * @throws AppError phase.unknown-gas, phase.undetermined-gas, stability.bad-temperature, stability.bad-pressure
 */
export function readOpenGas(
  { temperature, second: typedSecond, ...typed }: TypedOpenGas,
  functional: string,
  phasesAt?: number,
): OpenTo {
  const first = readGas(typed);
  const second = typedSecond ? readGas(typedSecond) : null;
  const { min, max } = TEMPERATURE_LIMITS;
  if (!(temperature >= min && temperature <= max))
    throw new AppError('stability.bad-temperature', { value: temperature, min, max });
  const gases = second ? [first, second] : [first];
  const zero = zeroOfScale(functional);
  const potentials =
    phasesAt === undefined
      ? gasPotentials(gases, temperature, zero)
      : gasPotentialsAtTemperature(gases, temperature);
  const [element, potential] = Object.entries(potentials ?? {})[0] ?? [];
  if (potentials === null || element === undefined || potential === undefined)
    throw new AppError('phase.undetermined-gas', { gases: gases.map(({ gas }) => gas).join(' + ') });
  return {
    ...first,
    element,
    temperature,
    chemical_potential: potential,
    counted_from: phasesAt ?? zero,
    second,
    potentials,
  };
}
