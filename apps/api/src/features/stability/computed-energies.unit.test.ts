import { atomCount, parseFormula, reducedFormula } from '@unitcell/crystal';
import { type Deviations, expectedDeviation, findSubstance } from '@unitcell/phase-equilibria';
import { describe, expect, it } from 'vitest';
import {
  entriesAtTemperature,
  expectedErrorOf,
  lowestEntryOfFormula,
} from '../../domain/thermodynamics/phase-hull.ts';
import { computedCompounds, computedReaction } from './computed-energies.ts';

const TEMPERATURE = 1000;
const DENSITY = 3;
/** eV/atom */
const ENERGIES = { CaCO3: -2.5, CaO: -3.2, MgN: -0.1, CaO2H2: -2, MgO2H2: -1.9, MgO: -3.1 };
const DEVIATIONS: Deviations = { byClass: { oxide: 0.05, oxosalt: 0.04, hydroxide: 0.03 }, all: 0.06 };
const NO_DEVIATIONS: Deviations = { byClass: {}, all: 0 };

/** The expected error of a reaction in eV, for which gases are named with (g). */
function calculatorError(amounts: Readonly<Record<string, number>>, deviations: Deviations) {
  const parts = Object.entries(amounts).map(([name, amount]) => {
    const composition = parseFormula(name.replace('(g)', ''));
    const measured = findSubstance(composition, name.endsWith('(g)') ? 'gas' : 'condensed');
    return { composition, measured, amount, pressure: null };
  });
  const stored = Object.entries(ENERGIES).map(([formula, formationEnergyPerAtom], index) => {
    const composition = parseFormula(formula);
    const scaleError = expectedDeviation(composition, deviations);
    const energy = { structId: index, formationEnergyPerAtom, density: DENSITY, expected: null, scaleError };
    return [reducedFormula(composition), energy] as const;
  });
  return computedReaction(parts, computedCompounds(new Map(stored), parts))?.error;
}

function hullError(amounts: Readonly<Record<string, number>>, deviations: Deviations) {
  const phases = Object.entries(ENERGIES).map(([formula, formationEnergyPerAtom], structId) => ({
    structId,
    formulaReduced: reducedFormula(parseFormula(formula)),
    formationEnergyPerAtom,
    density: DENSITY,
    spaceGroup: '',
  }));
  const system = entriesAtTemperature(phases, ['C', 'Ca', 'H', 'Mg', 'N', 'O'], TEMPERATURE);
  const parts = Object.entries(amounts).map(([name, amount]) => {
    const composition = parseFormula(name.replace('(g)', ''));
    const formula = reducedFormula(composition);
    return { entry: lowestEntryOfFormula(system, formula), atoms: amount * atomCount(composition) };
  });
  return expectedErrorOf(parts, deviations);
}

describe('the expected error of a computed reaction', () => {
  it('has 3 meV per atom of each compound and gas with a measured table', () => {
    const calcination = { CaCO3: -1, CaO: 1, 'CO2(g)': 1 };
    expect(calculatorError(calcination, NO_DEVIATIONS)).toBeCloseTo(0.003 * Math.hypot(5, 2, 3), 9);
  });

  it.each([
    [{ CaCO3: -1, CaO: 1, 'CO2(g)': 1 }],
    [{ CaO2H2: -1, MgO2H2: -1, CaO: 1, MgO: 1, 'H2O(g)': 2 }],
    [{ MgN: -2, 'O2(g)': -1, MgO: 2, 'N2(g)': 1 }],
  ])('is the same as on the hull: %j', (amounts) => {
    expect(calculatorError(amounts, DEVIATIONS)).toBeCloseTo(hullError(amounts, DEVIATIONS), 9);
  });
});
