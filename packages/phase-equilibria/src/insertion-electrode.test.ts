import { parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { electrochemicalWindow } from './electrochemical-window.ts';
import { buildHull } from './hull.ts';
import {
  type ChargeState,
  conversionSteps,
  gravimetricCapacity,
  insertionElectrode,
} from './insertion-electrode.ts';

const state = (id: string, ionContent: number, energy: number, volume = 70): ChargeState => ({
  id,
  ionContent,
  energy,
  volume,
});

describe('insertionElectrode', () => {
  it("gives LiFePO4 one plateau with the capacity from Faraday's law", () => {
    // Volumes of triphylite and heterosite: Rousse et al., Chem. Mater. 15, 4082 (2003).
    const electrode = insertionElectrode(
      [state('FePO4', 0, -10, 272.4 / 4), state('LiFePO4', 1, -13.4, 291.4 / 4)],
      parseFormula('FePO4'),
      'Li',
    );
    expect(electrode?.steps.map(({ voltage }) => voltage)).toEqual([expect.closeTo(3.4, 12)]);
    expect(electrode?.capacityOfDischarged).toBeCloseTo(169.9, 1);
    expect(electrode?.capacityOfCharged).toBeCloseTo(177.7, 1);
    expect(electrode?.specificEnergy).toBeCloseTo(169.9 * 3.4, 0);
    // 169.9 mAh/g × 3.60 g/cm³
    expect(electrode?.volumetricCapacity).toBeCloseTo(611, 0);
    expect(electrode?.volumeChange).toBeCloseTo(-6.5, 1);
  });

  it.each([
    ['LiCoO2', 1, 273.8],
    ['LiFePO4', 1, 169.9],
    ['LiMn2O4', 1, 148.2],
    ['NaFePO4', 1, 154.2],
    ['Li7Ti5O12', 3, 167.5],
    ['Mg2Mo6S8', 4, 121.7],
  ])('the theoretical capacity of %s for %d electrons is %d mAh/g', (formula, electrons, capacity) => {
    expect(gravimetricCapacity(electrons, parseFormula(formula))).toBeCloseTo(capacity, 0);
  });

  it("leaves metastable states out of the profile and gives their energy above the host's hull", () => {
    const electrode = insertionElectrode(
      [state('half', 0.5, -2.1), state('other', 0.5, -1.5), state('0', 0, 0), state('1', 1, -4)],
      parseFormula('CoO2'),
      'Li',
    );
    expect(electrode?.steps.map(({ voltage }) => voltage)).toEqual([
      expect.closeTo(4.2, 12),
      expect.closeTo(3.8, 12),
    ]);
    expect(electrode?.aboveHostHull).toEqual([0, expect.closeTo(0.6, 12), 0, 0]);
    expect(electrode?.averageVoltage).toBeCloseTo(4, 12);
  });

  it('counts two electrons per magnesium', () => {
    const electrode = insertionElectrode(
      [state('Mo6S8', 0, 0, 280), state('Mg2Mo6S8', 2, -4.4, 317)],
      parseFormula('Mo6S8'),
      'Mg',
    );
    expect(electrode?.averageVoltage).toBeCloseTo(1.1, 12);
    expect(electrode?.capacityOfDischarged).toBeCloseTo(121.7, 0);
  });

  it('ends the discharge at the content where the voltage would fall below 0 V against the metal', () => {
    const electrode = insertionElectrode(
      [state('0', 0, 0), state('1', 1, -2), state('2', 2, -1.5)],
      parseFormula('TiO2'),
      'Li',
    );
    expect(electrode?.discharged.id).toBe('1');
    expect(insertionElectrode([state('0', 0, 0), state('1', 1, 0.5)], parseFormula('TiO2'), 'Li')).toBeNull();
    expect(insertionElectrode([state('a', 1, 0), state('b', 1, -1)], parseFormula('TiO2'), 'Li')).toBeNull();
  });

  it('refuses an ion that is part of the framework, and states with values that are not numbers', () => {
    const states = [state('0', 0, 0), state('1', 1, -2)];
    expect(() => insertionElectrode(states, parseFormula('LiCoO2'), 'Li')).toThrow(/contains Li/);
    expect(() => insertionElectrode(states, parseFormula('CoO2'), 'Cu')).toThrow(/Cu/);
    expect(() =>
      insertionElectrode([...states, state('bad', 0.5, Number.NaN)], parseFormula('CoO2'), 'Li'),
    ).toThrow(/state bad/);
  });

  it('has the voltages from an independently calculated hull, for 200 seeded random hosts', () => {
    const random = seededRandom(20261126);
    for (let host = 0; host < 200; host++) {
      const metal = -2 * random();
      const states = Array.from({ length: 2 + Math.floor(random() * 9) }, (_, index) => {
        const content = Math.round(random() * 12) / 6;
        return state(String(index), content, -20 + (metal - 4) * content + 1.5 * random());
      });
      const expected = bruteForceSlopes(states).map((slope) => metal - slope);
      const electrode = insertionElectrode(states, parseFormula('MnO2'), 'Li', metal);
      const voltages = electrode?.steps.map(({ voltage }) => voltage) ?? [];
      const reached = expected.filter((voltage) => voltage > 0);
      expect(voltages).toHaveLength(reached.length);
      for (const [index, voltage] of voltages.entries())
        expect(Math.abs(voltage - reached[index])).toBeLessThan(1e-9);
    }
  });
});

/**
 * A state is on the hull if it is not above the mixture of any two other states. The voltages follow from the
 * slopes between neighbours on the hull.
 */
function bruteForceSlopes(states: readonly ChargeState[]): number[] {
  const mixtureAt = (x: number): number =>
    Math.min(
      ...states.flatMap((a) =>
        states.flatMap((b) => {
          if (a.ionContent === x) return [a.energy];
          if (!(a.ionContent < x && b.ionContent > x)) return [];
          const share = (x - a.ionContent) / (b.ionContent - a.ionContent);
          return [a.energy + share * (b.energy - a.energy)];
        }),
      ),
    );
  const contents = [...new Set(states.map(({ ionContent }) => ionContent))].sort((a, b) => a - b);
  const stable = contents.flatMap((x) => {
    const lowest = Math.min(...states.filter((one) => one.ionContent === x).map(({ energy }) => energy));
    return lowest <= mixtureAt(x) + 1e-12 ? [{ x, energy: lowest }] : [];
  });
  return stable.slice(1).map(({ x, energy }, index) => {
    const before = stable[index];
    return (energy - before.energy) / (x - before.x);
  });
}

describe('conversionSteps', () => {
  it('converts FeF3 through LiF and FeF2 to iron, and ends with the capacity of three electrons', () => {
    // Formation enthalpies (eV per formula, NIST): FeF3 −10.3, FeF2 −7.3, LiF −6.4.
    const entries = [
      ['Li', 0],
      ['Fe', 0],
      ['F2', 0],
      ['LiF', -6.4],
      ['FeF2', -7.3],
      ['FeF3', -10.3],
    ] as const;
    const hull = buildHull(
      entries.map(([formula, energy]) => ({ id: formula, composition: parseFormula(formula), energy })),
      { elements: ['Li', 'Fe', 'F'] },
    );
    const steps = conversionSteps(electrochemicalWindow(hull, parseFormula('FeF3'), 'Li'));
    expect(steps.map(({ voltage, from, to }) => [voltage, from, to])).toEqual([
      [expect.closeTo(3.4, 9), 0, expect.closeTo(1, 9)],
      [expect.closeTo(2.75, 9), expect.closeTo(1, 9), expect.closeTo(3, 9)],
    ]);
    expect(steps.at(-1)?.capacity).toBeCloseTo(712.6, 0);
    expect(conversionSteps(electrochemicalWindow(hull, parseFormula('LiF'), 'Li'))).toEqual([]);
  });

  it('counts two electrons for each magnesium that FeF2 takes up', () => {
    // Formation enthalpies (eV per formula, NIST): FeF2 −7.3, MgF2 −11.6.
    const entries = [
      ['Mg', 0],
      ['Fe', 0],
      ['F2', 0],
      ['MgF2', -11.6],
      ['FeF2', -7.3],
    ] as const;
    const hull = buildHull(
      entries.map(([formula, energy]) => ({ id: formula, composition: parseFormula(formula), energy })),
      { elements: ['Mg', 'Fe', 'F'] },
    );
    const [step] = conversionSteps(electrochemicalWindow(hull, parseFormula('FeF2'), 'Mg'));
    expect([step?.to, step?.voltage]).toEqual([expect.closeTo(1, 9), expect.closeTo(4.3 / 2, 9)]);
    // 2 × 26,801 mAh/mol / 93.84 g/mol
    expect(step?.capacity).toBeCloseTo(571.2, 0);
  });
});
