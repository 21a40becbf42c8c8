import { atomCount } from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { describe, expect, it } from 'vitest';
import {
  ELLINGHAM_KINDS,
  ellinghamElements,
  ellinghamEnergy,
  ellinghamLines,
  equilibriumLogPressure,
  equilibriumLogRatio,
} from './ellingham.ts';

const RANGE = { min: 298.15, max: 2400 };
const named = (kind: (typeof ELLINGHAM_KINDS)[number], element: string, product: string) => {
  const line = ellinghamLines(kind, element, RANGE).find(
    ({ terms }) => terms[2]?.substance.formula === product,
  );
  if (line === undefined) throw new Error(`no line to ${product}`);
  return line;
};
const kilojoule = (line: Parameters<typeof ellinghamEnergy>[0], temperature: number): number =>
  ellinghamEnergy(line, temperature) * KJ_PER_MOL_PER_EV;

describe('ellinghamLines', () => {
  // NIST-JANAF, ΔfG at 1,000 K in kJ/mol, for one mole of gas.
  it.each([
    ['oxide', 'Al', 'Al2O3', (2 / 3) * -1361.44],
    ['oxide', 'Ti', 'TiO', 2 * -443.2],
    ['oxide', 'C', 'CO', 2 * -200.275],
    ['oxide', 'H', 'H2O', 2 * -192.59],
    ['nitride', 'Ti', 'TiN', 2 * -243.3],
    ['chloride', 'Na', 'NaCl', 2 * -320.4],
  ] as const)('%s of %s to %s', (kind, element, product, expected) => {
    expect(Math.abs(kilojoule(named(kind, element, product), 1000) / expected - 1)).toBeLessThan(0.01);
  });

  it('every reaction conserves every element and uses one mole of the gas', () => {
    for (const kind of ELLINGHAM_KINDS)
      for (const element of ellinghamElements(kind))
        for (const { terms } of ellinghamLines(kind, element, RANGE)) {
          const balance: Record<string, number> = {};
          for (const { substance, amount } of terms)
            for (const [symbol, count] of Object.entries(substance.composition))
              balance[symbol] = (balance[symbol] ?? 0) + amount * count;
          for (const rest of Object.values(balance)) expect(Math.abs(rest)).toBeLessThan(1e-9);
          expect(terms[1]?.amount).toBe(-1);
          expect(atomCount(terms[1].substance.composition)).toBe(kind === 'carbonate' ? 3 : 2);
        }
  });

  it('every element of the selection has a line', () => {
    for (const kind of ELLINGHAM_KINDS)
      for (const element of ellinghamElements(kind))
        expect(ellinghamLines(kind, element, RANGE), `${kind} of ${element}`).not.toEqual([]);
  });

  it('the element that forms the gas has no line', () => {
    for (const [kind, element] of [
      ['oxide', 'O'],
      ['sulfide', 'S'],
      ['nitride', 'N'],
      ['chloride', 'Cl'],
    ] as const)
      expect(ellinghamLines(kind, element, RANGE)).toEqual([]);
  });

  it('wüstite forms between Fe and Fe3O4 only above the eutectoid at 843 K', () => {
    // The eutectoid is at 843 K (570 °C) in the Fe–O phase diagram; with the fixed composition Fe0.947O of
    // JANAF it is at 888 K.
    const wuestite = named('oxide', 'Fe', 'Fe0.947O');
    expect(Math.abs(wuestite.temperatures[0] - 843)).toBeLessThan(50);
    const pairs = ellinghamLines('oxide', 'Fe', RANGE).map(({ terms }) =>
      terms.map(({ substance }) => substance.formula),
    );
    expect(pairs).toContainEqual(['Fe', 'O2', 'Fe3O4']);
    expect(pairs).toContainEqual(['Fe3O4', 'O2', 'Fe2O3']);
  });

  it('the line of a compound does not end where the table of a compound with more of the gas ends', () => {
    // MnO2 and CuS decompose, and their tables end at 800 and 700 K.
    const last = (kind: 'oxide' | 'sulfide', element: string, product: string) =>
      named(kind, element, product).temperatures.at(-1) ?? 0;
    expect(last('oxide', 'Mn', 'MnO2')).toBe(800);
    expect(last('oxide', 'Mn', 'MnO')).toBeGreaterThanOrEqual(1800);
    expect(last('sulfide', 'Cu', 'CuS')).toBe(700);
    expect(last('sulfide', 'Cu', 'Cu2S')).toBeGreaterThanOrEqual(1300);
  });

  it('two compounds do not become adjacent where the table of the compound between them ends', () => {
    // The tables of Ce2O3 and Co3S4 end at 1,000 and 900 K, those of CeO2 and CoS2 later.
    const pairs = (kind: 'oxide' | 'sulfide', element: string) =>
      ellinghamLines(kind, element, RANGE).map(({ terms }) =>
        terms.map(({ substance }) => substance.formula).join(),
      );
    expect(pairs('oxide', 'Ce')).not.toContain('Ce,O2,CeO2');
    expect(pairs('sulfide', 'Co')).not.toContain('Co,S2,CoS2');
  });

  it('steps of one metal to compounds with more of the gas have a higher ΔG° per mole of gas', () => {
    for (const element of ['Fe', 'Ti', 'Mn', 'V', 'Cu', 'Co']) {
      const lines = ellinghamLines('oxide', element, RANGE);
      const at = 1200;
      const energies = lines
        .filter(({ temperatures }) => temperatures[0] <= at && temperatures.at(-1)! >= at)
        .map((line) => ellinghamEnergy(line, at));
      expect(energies).toEqual([...energies].sort((a, b) => a - b));
    }
  });

  it('a compound whose stability is always within the error of the tables has no line', () => {
    const products = ellinghamLines('oxide', 'Ti', RANGE).map(({ terms }) => terms[2]?.substance.formula);
    expect(products).toContain('Ti3O5');
    expect(products).not.toContain('Ti4O7');
  });

  it('reports melting and boiling of metals and oxides', () => {
    const { transitions } = named('oxide', 'Mg', 'MgO');
    expect(transitions).toEqual([
      { formula: 'Mg', temperature: 923, kind: 'melting' },
      { formula: 'Mg', temperature: 1366.104, kind: 'boiling' },
    ]);
  });

  it('lines of carbon and of a metal oxide cross at the temperature where carbon reduces the oxide', () => {
    // NIST-JANAF tables: 1,522 K for Cr2O3, 2,309 K for Al2O3.
    const carbon = named('oxide', 'C', 'CO');
    for (const [element, product, crossing] of [
      ['Cr', 'Cr2O3', 1522.4],
      ['Al', 'Al2O3', 2309],
    ] as const) {
      const metal = named('oxide', element, product);
      const above = (temperature: number): number =>
        ellinghamEnergy(metal, temperature) - ellinghamEnergy(carbon, temperature);
      expect(above(crossing - 2)).toBeLessThan(0);
      expect(above(crossing + 2)).toBeGreaterThan(0);
    }
  });

  it('carbonates decompose at their measured temperatures', () => {
    const lime = named('carbonate', 'Ca', 'CaCO3');
    expect(ellinghamEnergy(lime, 1160)).toBeLessThan(0);
    expect(ellinghamEnergy(lime, 1168)).toBeGreaterThan(0);
  });
});

describe('the scales', () => {
  it('the pressure of oxygen over iron and wüstite at 1,273 K is near 1e-15 bar', () => {
    // Textbook value of the iron-wüstite buffer at 1,000 °C: log p(O2/bar) = −14.9 (Huebner 1971).
    const energy = ellinghamEnergy(named('oxide', 'Fe', 'Fe0.947O'), 1273.15);
    expect(Math.abs(equilibriumLogPressure(energy, 1273.15) + 14.9)).toBeLessThan(0.1);
  });

  it('CO/CO2 and H2/H2O over a mixture agree with the oxygen pressure', () => {
    const [temperature, energy] = [1200, -4.2];
    for (const [element, product] of [
      ['C', 'CO2'],
      ['H', 'H2O'],
    ] as const) {
      const line = ellinghamLines('oxide', element, RANGE).find(
        ({ terms }) => terms[2]?.substance.formula === product && terms[0]?.substance.phase === 'gas',
      )!;
      const ratio = 10 ** equilibriumLogRatio(energy, ellinghamEnergy(line, temperature), temperature);
      const pressure = 10 ** equilibriumLogPressure(energy, temperature);
      const constant = Math.exp(-ellinghamEnergy(line, temperature) / (8.617333262e-5 * temperature));
      // K = (CO2)² / ((CO)² p)
      expect(1 / (ratio ** 2 * pressure) / constant).toBeCloseTo(1, 6);
    }
  });
});
