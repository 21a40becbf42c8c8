/** Gases as reservoirs: chemical potentials by temperature and pressure, from the NIST-JANAF tables. */
import { parseFormula } from '@unitcell/crystal';
import { BOLTZMANN_EV_PER_K, KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { luFactor, luSolve } from '@unitcell/numerics';
import { JANAF_RESERVOIR_GASES } from './data/janaf-gases.ts';
import { PhaseEquilibriaError } from './error.ts';
import { type JanafTable, readJanafLines, thermalPart } from './janaf-table.ts';

export const RESERVOIR_GASES = [
  'O2',
  'H2',
  'N2',
  'F2',
  'Cl2',
  'Br2',
  'S2',
  'H2O',
  'CO',
  'CO2',
  'NH3',
  'SO2',
  'CH4',
  'HCl',
  'HF',
] as const;
export type ReservoirGas = (typeof RESERVOIR_GASES)[number];

/** Temperatures accepted for calculations with gases and measured tables, K. */
export const TEMPERATURE_LIMITS = { min: 0, max: 3000 } as const;

let tables: readonly JanafTable[] | undefined;

/** The tables of the reservoir gases, parsed at first use. */
export const reservoirTables = (): readonly JanafTable[] =>
  (tables ??= readJanafLines(JANAF_RESERVOIR_GASES));

/** kT ln(p / 1 bar), eV; 0 at 0 K. */
export const pressureTerm = (temperatureK: number, pressureBar: number): number =>
  BOLTZMANN_EV_PER_K * temperatureK * Math.log(pressureBar);

/**
 * Chemical potential of an ideal gas in eV per molecule: ΔfH(zero) + [H(T) − H(zero)] − T S(T) + kT ln(p / 1
 * bar), relative to the enthalpies of the elements in their reference states at the zero point. For O2 and
 * the zero point 0 K, half of it is the potential of oxygen (per atom) that Reuter & Scheffler tabulate
 * (Phys. Rev. B 65, 035406 (2001), doi:10.1103/PhysRevB.65.035406).
 *
 * The zero point is 0 K for calculated energies without vibrations, 298.15 K for measured enthalpies and scales fitted
 * to them. For an element the two zero points differ by H(298.15 K) − H(0 K), 0.090 eV per O2.
 *
 * Source: NIST-JANAF Thermochemical Tables (Chase 1998); standard pressure 0.1 MPa = 1 bar. At the entries of the
 * tables (every 50 or 100 K) the result is exact to their last digit (1e-5 eV at 1,000 K).
 * @param pressureBar partial pressure; 0.21 for O2 in air
 * @param zeroK 0 or 298.15
 * @throws PhaseEquilibriaError `invalid-entry` below 0 K, above 3,000 K or without a positive pressure
 * @example gasChemicalPotential('O2', 1000, 1) / 2; // -1.10
 */
export function gasChemicalPotential(
  gas: ReservoirGas,
  temperatureK: number,
  pressureBar: number,
  zeroK: 0 | 298.15 = 0,
): number {
  const { min, max } = TEMPERATURE_LIMITS;
  if (!(temperatureK >= min && temperatureK <= max))
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `the temperature of ${gas} is ${temperatureK} K: expected ${min} to ${max} K`,
    );
  if (!(pressureBar > 0 && pressureBar < Number.POSITIVE_INFINITY))
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `the pressure of ${gas} is ${pressureBar} bar: expected a positive number`,
    );
  const table = reservoirTables().find(({ formula }) => formula === gas);
  if (table === undefined || table.enthalpy0 === null || table.heat0 === null)
    throw new PhaseEquilibriaError('invalid-entry', `there is no table of ${gas}`);
  const atZero = zeroK === 0 ? table.enthalpy0 - table.heat0 : table.enthalpy298;
  const { gibbs } = thermalPart(table, temperatureK);
  return (atZero + gibbs) / KJ_PER_MOL_PER_EV + pressureTerm(temperatureK, pressureBar);
}

export interface GasPart {
  readonly gas: ReservoirGas;
  /** Partial pressure, bar. */
  readonly pressure: number;
}

/**
 * Chemical potentials of the elements of some gases, eV/atom, from those of the molecules: H2O and H2 give
 * hydrogen and oxygen. Null unless there are as many independent gases as elements, because the potentials are
 * then not determined.
 * @throws PhaseEquilibriaError as `gasChemicalPotential`
 */
export function gasPotentials(
  gases: readonly GasPart[],
  temperatureK: number,
  zeroK: 0 | 298.15 = 0,
): Readonly<Record<string, number>> | null {
  const compositions = gases.map(({ gas }) => parseFormula(gas));
  const elements = [...new Set(compositions.flatMap((composition) => Object.keys(composition)))];
  if (elements.length !== gases.length) return null;
  const rows = compositions.flatMap((composition) => elements.map((element) => composition[element] ?? 0));
  const factors = luFactor(rows, elements.length);
  if (factors === null) return null;
  const solution = luSolve(
    factors,
    gases.map(({ gas, pressure }) => gasChemicalPotential(gas, temperatureK, pressure, zeroK)),
  );
  return Object.fromEntries(elements.map((element, index) => [element, solution[index]]));
}

/**
 * The temperature in K at which a gas has a given chemical potential, which falls with temperature. Null if
 * there is no such temperature from 0 to 3,000 K.
 * @param potential eV per molecule
 * @param zeroK as in `gasChemicalPotential`
 * @throws PhaseEquilibriaError without a positive pressure
 */
export function gasTemperature(
  gas: ReservoirGas,
  potential: number,
  pressureBar: number,
  zeroK: 0 | 298.15 = 0,
): number | null {
  let { min: low, max: high }: { min: number; max: number } = TEMPERATURE_LIMITS;
  const isAbove = (temperature: number) =>
    gasChemicalPotential(gas, temperature, pressureBar, zeroK) >= potential;
  if (!isAbove(low) || isAbove(high)) return null;
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (isAbove(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
