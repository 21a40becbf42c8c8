import { atomCount, parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { parseKnownPhases } from '@unitcell/phase-equilibria';
import { parseOwnEnergies, readCompounds, readOwnEnergies, readStableCompositions } from './seed-files.ts';

/**
 * eV per atom of a gas element: by how much PBE makes its molecule too stable, and hence its compounds too
 * weakly bound (1.36 eV per O2 for main-group oxides on average: Wang, Maxisch & Ceder, Phys. Rev. B 73,
 * 195107 (2006); the largest single value of the set is Al2O3 with 0.85 per O).
 */
const GAS_ERROR_EV = 0.85;
/**
 * eV/atom, in both directions, for all other elements: difference of enthalpy and energy, and the error of PBE
 * for solids.
 */
const SOLID_ERROR_EV = 0.15;

const compounds = new Map(readCompounds().map((compound) => [compound.structId, compound]));
const energies = [...readOwnEnergies().values()];

const elementEnergies = new Map<string, number>();
for (const { formula, energyPerAtom } of energies) {
  const [element = '', ...others] = Object.keys(parseFormula(formula));
  if (others.length === 0)
    elementEnergies.set(element, Math.min(energyPerAtom, elementEnergies.get(element) ?? 0));
}

/** eV/atom relative to the elements on the same scale; undefined if one is missing. */
function formationEnergy(formula: string, energyPerAtom: number): number | undefined {
  const composition = parseFormula(formula);
  let sum = energyPerAtom;
  for (const [element, amount] of Object.entries(composition)) {
    const reference = elementEnergies.get(element);
    if (reference === undefined) return undefined;
    sum -= (reference * amount) / atomCount(composition);
  }
  return sum;
}

describe('energies computed for this project', () => {
  it('belong to compounds of the seed data', () => {
    for (const { structId, formula } of energies) expect(compounds.get(structId)?.formula).toBe(formula);
  });

  it('include the elements that common submissions need', () => {
    expect([...elementEnergies.keys()]).toEqual(
      expect.arrayContaining('Li Na K Mg Ti Fe Ni Cu Al C Si N O S F Cl'.split(' ')),
    );
  });

  it('give measured enthalpies of formation within the known error of raw PBE', () => {
    const errors = energies.flatMap(({ structId, formula, energyPerAtom }) => {
      const composition = parseFormula(formula);
      const measured = compounds.get(structId)?.formationEnthalpy298;
      const computed = formationEnergy(formula, energyPerAtom);
      if (measured === undefined || computed === undefined || Object.keys(composition).length < 2) return [];
      const gas = ['O', 'N', 'F', 'Cl'].reduce((sum, element) => sum + (composition[element] ?? 0), 0);
      const allowed = SOLID_ERROR_EV + (GAS_ERROR_EV * gas) / atomCount(composition);
      return [{ formula, error: computed - measured, allowed }];
    });
    expect(errors.length).toBeGreaterThanOrEqual(8);
    expect(errors.filter(({ error, allowed }) => error < -SOLID_ERROR_EV || error > allowed)).toEqual([]);
  });

  it('are refused if a row is impossible', () => {
    const header = 'struct_id,formula,energy_per_atom,cell,source,data_sets';
    expect(() => parseOwnEnergies(`${header}\n1,Li,7,relaxed,x,y`)).toThrow(
      /struct_id 1 \(Li\): expected a negative/,
    );
    expect(() => parseOwnEnergies(`${header}\n1,Li,-7,a,x,y\n1,Li,-7,a,x,y`)).toThrow(/1 occurs twice/);
  });
});

describe('the list of stable compositions', () => {
  const known = parseKnownPhases(readStableCompositions());

  it('contains the hull of the Materials Project of 2018, without impossible entries', () => {
    expect([...known.values()].flat().length).toBeGreaterThan(33_000);
    const of = (system: string): string[] =>
      (known.get(system) ?? []).map(({ composition }) =>
        Object.entries(composition)
          .map(([element, amount]) => element + (amount === 1 ? '' : amount))
          .join(''),
      );
    expect(of('C-O')).toEqual(['CO2']);
    expect(of('H-O')).toEqual(['H2O']);
    expect(of('Na-S')).toContain('Na2S');
    expect(of('N-O')).not.toContain('N2O');
    expect(of('K-Mg')).toEqual([]);
  });

  it('omits formulas that the source cut off at half atoms', () => {
    // The source halved Li14Ti21O48, Mn15Br6O20, Cs10Mo6N15, In85K34Zn20 and Ir65P52Sm30 and rounded odd numbers of
    // atoms down, so these formulas have energies of other compounds. Li7Ti10O24, for example, lowers the oxidation
    // onset of Li4Ti5O12 from 3.71 to 2.51 V.
    const wrong = ['Li7O24Ti10', 'Br3Mn7O10', 'Cs5Mo3N7', 'In42K17Zn10', 'Ir32P26Sm15'];
    const listed = readStableCompositions().split(/[\s~:]+/);
    expect(wrong.filter((formula) => listed.includes(formula))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(['Cs10Mo6N15', 'In85K34Zn20', 'Ir65P52Sm30']));
  });

  it('has no duplicates', () => {
    const keys = [...known].flatMap(([system, phases]) =>
      phases.map(({ composition }) => `${system} ${Object.values(composition).join(' ')}`),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('contains compositions on the hull of all energies that the table of ground states omits', () => {
    const has = (system: string, composition: Readonly<Record<string, number>>): boolean =>
      (known.get(system) ?? []).some((phase) =>
        Object.entries(composition).every(([element, amount]) => phase.composition[element] === amount),
      );
    // Without SmCo3 the system Sm-Co would count as complete, with SmCo2 and Sm2Co7 on its hull.
    expect(has('Co-Sm', { Co: 3, Sm: 1 })).toBe(true);
    expect(has('Np-O', { Np: 2, O: 5 })).toBe(true);
    expect(has('Al-Fe', { Al: 9, Fe: 2 })).toBe(true);
  });
});
