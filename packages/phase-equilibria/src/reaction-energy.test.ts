import { atomCount, parseFormula } from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  balance,
  combinedError,
  computedEnergetics,
  gibbsDescriptor,
  reactionEnergy,
  reactionRange,
  type ReactionTerm,
  turningTemperatures,
} from './reaction-energy.ts';
import { findSubstance, measuredCompounds } from './measured-substances.ts';

/** Parses `Ca(OH)2 -> CaO + H2O`. `Zn(g)` is a gas, and all gases have the same pressure. */
function termsOf(equation: string, pressure = 1): readonly ReactionTerm[] {
  const [left = [], right = []] = equation.split(' -> ').map((side) =>
    side.split(' + ').map((text) => {
      const isGas = text.endsWith('(g)');
      const composition = parseFormula(text.replace(/\(g\)$/, ''));
      const substance = findSubstance(composition, isGas ? 'gas' : 'any');
      if (substance === null) throw new Error(`${text} is in no table`);
      return { composition: substance.phase === 'element' ? substance.composition : composition, substance };
    }),
  );
  const found = balance(left, right);
  if (found.outcome !== 'balanced') throw new Error(`${equation}: ${found.outcome}`);
  return [...left, ...right].map(({ composition, substance }, index) => ({
    substance,
    amount:
      ((index < left.length ? -1 : 1) * found.balances[0][index] * atomCount(composition)) /
      atomCount(substance.composition),
    pressure: substance.phase === 'gas' ? pressure : null,
  }));
}

function turning(equation: string, pressure = 1): readonly number[] {
  const terms = termsOf(equation, pressure);
  const { min, max } = reactionRange(terms);
  const grid = Array.from({ length: 300 }, (_, index) => Math.max(min, 298.15) + index * 10).filter(
    (t) => t <= max,
  );
  return turningTemperatures(terms, grid);
}

describe('temperatures at which the reaction energy changes its sign', () => {
  // Computed from the tabulated ΔfG of NIST-JANAF by linear interpolation, gases at 1 bar; the second number is from
  // the literature.
  it.each([
    ['Fe2O3 -> Fe3O4 + O2', 1737.4, 1730, 'Fe–O phase diagram, 1 atm O2'],
    ['CuO -> Cu2O + O2', 1395.7, 1393, 'Cu–O phase diagram, 1 atm O2'],
    ['Co3O4 -> CoO + O2', 1218.2, 1243, 'about 970 °C at 1 atm O2'],
    ['HgO -> Hg + O2', 749.1, 750, 'red oxide, 470 to 500 °C'],
    ['Ca(OH)2 -> CaO + H2O', 794.1, 785, '512 °C at 1 atm'],
    ['NaH -> Na + H2', 699.7, 698, '425 °C'],
    ['SO3 -> SO2 + O2', 1053.1, 1055, 'K = 1 at about 780 °C'],
    ['C + CO2 -> CO', 973.5, 983, 'Boudouard equilibrium, 700 to 710 °C'],
    ['C + H2O -> CO + H2', 946.5, 947, 'about 674 °C'],
    ['FeO + C -> Fe + CO', 1044.3, 1073, 'school books'],
    ['Al2O3 + C -> Al + CO', 2309, 2320, 'about 2,050 °C'],
    ['Cr2O3 + C -> Cr + CO', 1522.4, 1500, 'about 1,230 °C'],
    ['V2O3 + C -> V + CO', 1733.5, 1733.5, 'JANAF only'],
    ['PbO + C -> Pb + CO', 573.9, 573.9, 'JANAF only'],
    ['Li2O + C -> Li + CO', 1961.2, 1961.2, 'JANAF only'],
  ])('%s at %d K (literature %d K: %s)', (equation, janaf, literature) => {
    const [found = Number.NaN] = turning(equation);
    expect(Math.abs(found - janaf)).toBeLessThan(2);
    expect(Math.abs(found / literature - 1)).toBeLessThan(0.03);
  });

  it('magnesium reduces SiO2 below 2,418 K', () => {
    expect(turning('Mg + SiO2 -> MgO + Si').at(-1)).toBeCloseTo(2417.9, -1);
  });

  it('CaCO3 decomposes near 1,160 K in CO2 at 1 bar, and near 800 K in air', () => {
    // 1,159 K from Gibbs energies of another table, 1,171 K (898 °C) in textbooks; 1,164 K if the data of CaO
    // are also from FREED.
    expect(Math.abs(turning('CaCO3 -> CaO + CO2')[0] - 1164)).toBeLessThan(3);
    expect(Math.abs(turning('CaCO3 -> CaO + CO2', 4.2e-4)[0] - 800)).toBeLessThan(40);
  });

  it('the temperatures for MnCO3, Ag2O and ZnO agree with FREED', () => {
    expect(Math.abs(turning('MnCO3 -> MnO + CO2')[0] - 638.9)).toBeLessThan(2);
    expect(Math.abs(turning('Ag2O -> Ag + O2')[0] - 471.1)).toBeLessThan(2);
    expect(Math.abs(turning('ZnO + C -> Zn(g) + CO')[0] - 1224)).toBeLessThan(2);
  });

  it('an element that becomes its own gas is in equilibrium with it from its boiling point on', () => {
    // Above the boiling point the gas is the reference state: both energies are equal but for rounding
    // errors. Boiling points of JANAF: sulfur as S2 882 K, zinc 1,180 K.
    for (const [equation, boiling] of [
      ['S -> S2', 882.1],
      ['P -> P2', 1180],
      ['Zn -> Zn(g)', 1180.2],
    ] as const) {
      const found = turning(equation);
      expect(found).toHaveLength(1);
      expect(Math.abs((found[0] ?? 0) - boiling)).toBeLessThan(2);
    }
  });

  it('Fe2O3 becomes Fe3O4 in air (0.21 bar O2) near 1,670 K', () => {
    expect(Math.abs(turning('Fe2O3 -> Fe3O4 + O2', 0.21)[0] - 1670)).toBeLessThan(0.01 * 1670);
  });
});

describe('reactionEnergy', () => {
  // NIST-JANAF, ΔfH and ΔfG in kJ/mol.
  it.each([
    ['Al2O3', 298.15, -1675.69, -1582.28],
    ['Al2O3', 1000, -1693.39, -1361.44],
    ['H2O', 298.15, -241.826, -228.582],
    ['H2O', 1000, -247.857, -192.59],
    ['CO2', 1000, -394.623, -395.886],
    ['SiO2', 1500, -901.011, -643.681],
    ['NaCl', 298.15, -411.12, -384.024],
  ])('energies of formation of %s at %d K equal those of JANAF', (formula, temperature, enthalpy, gibbs) => {
    const formation = findSubstance(parseFormula(formula))!.formation(temperature);
    // Differences of the printed terms are rounded to 0.01 kJ/mol.
    expect(Math.abs(formation.enthalpy * KJ_PER_MOL_PER_EV - enthalpy)).toBeLessThan(0.06);
    expect(Math.abs(formation.gibbs * KJ_PER_MOL_PER_EV - gibbs)).toBeLessThan(0.06);
  });

  it('enthalpy and Gibbs energy are zero along seeded random cycles of reactions', () => {
    const random = seededRandom(7);
    const terms = termsOf('Fe2O3 + Al -> Al2O3 + Fe');
    const back = termsOf('Al2O3 + Fe -> Fe2O3 + Al');
    // Two ways of burning carbon to CO2: directly, and through CO.
    const carbon = [
      ['C + O2 -> CO2', -2],
      ['C + O2 -> CO', 1],
      ['CO + O2 -> CO2', 1],
    ] as const;
    for (let round = 0; round < 40; round++) {
      const temperature = 298.15 + 900 * random();
      const there = reactionEnergy([...terms, ...back], temperature);
      expect(there.gibbs).toBeCloseTo(0, 10);
      expect(there.enthalpy).toBeCloseTo(0, 10);
      const pressure = 10 ** (-6 * random());
      const energies = carbon.map(([equation, weight]) => {
        const { gibbs, enthalpy } = reactionEnergy(termsOf(equation, pressure), temperature);
        return { gibbs: weight * gibbs, enthalpy: weight * enthalpy };
      });
      expect(energies.reduce((sum, { gibbs }) => sum + gibbs, 0)).toBeCloseTo(0, 10);
      expect(energies.reduce((sum, { enthalpy }) => sum + enthalpy, 0)).toBeCloseTo(0, 10);
    }
  });

  it('obeys the Gibbs–Helmholtz relation between ΔG and ΔH', () => {
    for (const equation of ['Fe2O3 + C -> Fe + CO', 'MgO + SiO2 -> MgSiO3', 'N2 + H2 -> NH3'])
      for (const temperature of [333, 777, 1111]) {
        const terms = termsOf(equation);
        const over = (t: number): number => reactionEnergy(terms, t).gibbs / t;
        const slope = (over(temperature + 0.01) - over(temperature - 0.01)) / 0.02;
        expect(-slope * temperature ** 2).toBeCloseTo(reactionEnergy(terms, temperature).enthalpy, 4);
      }
  });

  it('changes by kT ln p with the pressure of a gas', () => {
    const step =
      reactionEnergy(termsOf('CaCO3 -> CaO + CO2', 0.01), 1000).gibbs -
      reactionEnergy(termsOf('CaCO3 -> CaO + CO2'), 1000).gibbs;
    expect(step).toBeCloseTo(8.617333262e-5 * 1000 * Math.log(0.01), 9);
  });
});

describe('computedEnergetics', () => {
  it('combines the computed enthalpy at 298.15 K with the measured effect of temperature', () => {
    const composition = parseFormula('Al4O6');
    const measured = findSubstance(composition);
    const computed = computedEnergetics({ composition, formationEnergy: -3.4, volume: null }, measured)!;
    expect(computed.formation(298.15).enthalpy).toBeCloseTo(-34, 9);
    const rise = computed.formation(1000).gibbs - computed.formation(298.15).gibbs;
    expect(rise).toBeCloseTo(2 * (measured!.formation(1000).gibbs - measured!.formation(298.15).gibbs), 9);
    expect(computed.thermal).toBe('measured');
  });

  it('descriptor Gibbs energies of oxides agree on average with measured ones within the stated error', () => {
    // Volumes per atom of the measured crystals, Å³.
    const volumes = {
      MgO: 9.35,
      Al2O3: 8.49,
      TiO2: 10.4,
      CaO: 13.9,
      SiO2: 12.6,
      Fe2O3: 10.06,
      Cr2O3: 9.64,
      ZrO2: 11.7,
    };
    const errors = Object.entries(volumes).flatMap(([formula, volume]) => {
      const composition = parseFormula(formula);
      const measured = findSubstance(composition)!;
      const formationEnergy = measured.formation(298.15).enthalpy / atomCount(composition);
      const computed = computedEnergetics({ composition, formationEnergy, volume }, null)!;
      return [400, 800, 1200, 1600].map(
        (t) => Math.abs(computed.formation(t).gibbs - measured.formation(t).gibbs) / atomCount(composition),
      );
    });
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    expect(mean).toBeLessThan(0.05);
  });

  it('has no temperature dependence if neither a measurement nor a volume is known', () => {
    expect(
      computedEnergetics({ composition: parseFormula('LiFePO4'), formationEnergy: -2, volume: null }, null),
    ).toBeNull();
  });

  it('the descriptor of periclase at 1,000 K is the value of the published equation', () => {
    // By hand: reduced mass 9.6481 u, 9.3 Å³/atom; −0.64579 + 1.25030 − 0.882.
    expect(gibbsDescriptor(parseFormula('MgO'), 9.3, 1000)).toBeCloseTo(-0.2775, 3);
  });

  it('the descriptor decreases with temperature and volume', () => {
    const composition = parseFormula('LiFePO4');
    expect(gibbsDescriptor(composition, 10.4, 1000)).toBeLessThan(gibbsDescriptor(composition, 10.4, 500));
    expect(gibbsDescriptor(composition, 12, 1000)).toBeLessThan(gibbsDescriptor(composition, 10, 1000));
  });
});

describe('combinedError', () => {
  it('adds the squares of errors that belong to different chemical systems', () => {
    const parts = [
      { composition: parseFormula('MgO'), scale: 0.3, thermal: 0 },
      { composition: parseFormula('TiO2'), scale: -0.4, thermal: 1.2 },
    ];
    expect(combinedError(parts)).toBeCloseTo(1.3, 12);
    expect(
      combinedError([...parts, { composition: parseFormula('CaO'), scale: null, thermal: 0 }]),
    ).toBeNull();
  });

  it('lets errors of compounds in one chemical system largely cancel', () => {
    const step = [
      { composition: parseFormula('Fe3O4'), scale: -3, thermal: 0 },
      { composition: parseFormula('Fe2O3'), scale: 3, thermal: 0 },
    ];
    expect(combinedError(step)).toBeCloseTo(Math.sqrt(0.2 * 18), 12);
  });

  it('lets errors of a compound and those of its class with some of its elements cancel, in any order', () => {
    const scaleError = (formula: string, scale: number) => ({
      composition: parseFormula(formula),
      scale,
      thermal: 0,
    });
    const parts = [scaleError('MgO', -1), scaleError('Al2O3', -2), scaleError('MgAl2O4', 3)];
    const expected = Math.sqrt(0.03 * 14);
    expect(combinedError(parts)).toBeCloseTo(expected, 12);
    expect(combinedError([parts[2], parts[0], parts[1]])).toBeCloseTo(expected, 12);
    // MgF2 is of another class, CaO shares no compound of three elements with the others.
    expect(combinedError([...parts, scaleError('MgF2', 3), scaleError('CaO', 4)])).toBeCloseTo(
      Math.hypot(expected, 5),
      12,
    );
  });

  it('a measured gas has no error of the scale and does not relate the errors of compounds', () => {
    const part = (formula: string, scale: number) => ({
      composition: parseFormula(formula),
      scale,
      thermal: 0,
    });
    const hydroxides = [part('CaO2H2', -3), part('MgO2H2', 4)];
    expect(combinedError([...hydroxides, part('H2O', 0)])).toBeCloseTo(5, 12);
  });

  it('errors of the change with temperature cancel only within one chemical system', () => {
    const thermalError = (formula: string, thermal: number) => ({
      composition: parseFormula(formula),
      scale: 0,
      thermal,
    });
    const [oxide, spinel] = [thermalError('Al2O3', -3), thermalError('MgAl2O4', 4)];
    expect(combinedError([oxide, spinel])).toBeCloseTo(5, 12);
    expect(combinedError([spinel, thermalError('MgAl2O4', -4)])).toBeCloseTo(Math.sqrt(0.2 * 32), 12);
  });
});

describe('the measured tables', () => {
  it('are continuous between neighbouring temperatures for every compound', () => {
    const jumps: string[] = [];
    for (const { formula, range, formation, composition } of measuredCompounds())
      for (let temperature = Math.max(range.min, 300); temperature + 10 <= range.max; temperature += 10) {
        const step = Math.abs(formation(temperature + 10).gibbs - formation(temperature).gibbs);
        if (!(step / atomCount(composition) < 0.03)) jumps.push(`${formula} at ${temperature} K`);
      }
    expect(jumps).toEqual([]);
  });
});
