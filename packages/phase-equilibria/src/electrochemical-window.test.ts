import { readFileSync } from 'node:fs';
import { hasSharedData, sharedJsonLines } from '@unitcell/tools/shared-data';
import { type Composition, parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import {
  decompositionEnergyAt,
  electrochemicalWindow,
  type ElectrochemicalWindow,
  windowOnsets,
} from './electrochemical-window.ts';
import type { PhaseEntry } from './entries.ts';
import { equationText } from './decomposition.ts';
import { buildGrandPotentialHull, buildHull, energyAboveHull, relativeChemicalPotential } from './hull.ts';

const entry = (id: string, formula: string, energy: number): PhaseEntry => ({
  id,
  composition: parseFormula(formula),
  energy,
});

/** Lithium and sulphur with formation energies chosen for round voltages: Li2S at 2 V, LiS at 2.5 V. */
const LITHIUM_SULFUR = [
  entry('Li', 'Li', -1.5),
  entry('S', 'S', -4),
  entry('Li2S', 'Li4S2', 4 * -1.5 + 2 * -4 + 2 * -4.5),
  entry('LiS', 'LiS', -1.5 - 4 - 2.5),
];

describe('electrochemicalWindow', () => {
  const hull = buildHull(LITHIUM_SULFUR);

  it('breakpoints with lithium are differences of formation energies', () => {
    const window = electrochemicalWindow(hull, parseFormula('LiS'), 'Li');
    // S + Li → LiS at 2.5 V; LiS + Li → Li2S at 4.5 − 2.5 = 2 V.
    expect(window).toMatchObject({
      reductionOnsetV: expect.closeTo(2, 9),
      oxidationOnsetV: expect.closeTo(2.5, 9),
    });
    expect(window.ranges.map(({ minV, maxV, ionUptake }) => [minV, maxV, ionUptake])).toEqual([
      [0, expect.closeTo(2, 9), expect.closeTo(1, 9)],
      [expect.closeTo(2, 9), expect.closeTo(2.5, 9), 0],
      [expect.closeTo(2.5, 9), null, expect.closeTo(-1, 9)],
    ]);
    expect(window.ranges.map(({ reaction }) => equationText(reaction))).toEqual([
      'LiS + Li → Li2S',
      'LiS → LiS',
      'LiS → S + Li',
    ]);
    expect([window.reductionIndex, window.oxidationIndex]).toEqual([0, 2]);
  });

  it('the reduction onset of a target that is stable against the metal is 0 V', () => {
    const window = electrochemicalWindow(hull, parseFormula('Li2S'), 'Li');
    expect(window.reductionOnsetV).toBe(0);
    expect(window.reductionIndex).toBe(-1);
    expect(window.oxidationOnsetV).toBeCloseTo(2, 9);
  });

  it('a target that contains no ions has no oxidation onset', () => {
    const window = electrochemicalWindow(hull, parseFormula('S8'), 'Li');
    expect(window).toMatchObject({
      reductionOnsetV: expect.closeTo(2.5, 9),
      oxidationOnsetV: null,
      oxidationIndex: -1,
    });
    expect(window.ranges[0].ionUptake).toBeCloseTo(16, 9);
  });

  it('the window of a mixture that is no corner of the profile has zero width', () => {
    const window = electrochemicalWindow(hull, parseFormula('Li3S2'), 'Li');
    expect(window).toMatchObject({ reductionIndex: 0, oxidationIndex: 1 });
    expect(window.reductionOnsetV).toBeCloseTo(2, 9);
    expect(window.oxidationOnsetV).toBe(window.reductionOnsetV);
    const rich = electrochemicalWindow(hull, parseFormula('Li9S'), 'Li');
    expect(rich).toMatchObject({
      reductionOnsetV: 0,
      oxidationOnsetV: 0,
      reductionIndex: -1,
      oxidationIndex: 0,
    });
  });

  it('the driving force is never positive, is 0 only inside the window, and is linear between corners', () => {
    const window = electrochemicalWindow(hull, parseFormula('LiS'), 'Li');
    for (let v = 0.03; v <= 4; v += 0.1) {
      const perAtom = decompositionEnergyAt(window, v);
      expect(perAtom).toBeLessThanOrEqual(0);
      const inside = v >= window.reductionOnsetV && v <= (window.oxidationOnsetV ?? Number.POSITIVE_INFINITY);
      expect(Math.abs(perAtom) < 1e-9).toBe(inside);
    }
    // LiS + Li → Li2S at 0 V releases 2 eV per formula LiS, which has two atoms.
    expect(decompositionEnergyAt(window, 0)).toBeCloseTo(-1, 9);
    expect(window.ranges.map(({ minV }) => minV)).toEqual([0, 2, 2.5].map((v) => expect.closeTo(v, 9)));
  });

  it('inside the window, the driving force of a metastable entry is minus its energy above hull', () => {
    const metastable = entry('m', 'Li2S2', 2 * (-1.5 - 4 - 2.5) + 0.4);
    const window = electrochemicalWindow(hull, metastable, 'Li');
    expect(window.energyAboveHull).toBeCloseTo(0.1, 9);
    expect(window.energyAboveHull).toBeCloseTo(energyAboveHull(hull, metastable), 12);
    expect(decompositionEnergyAt(window, 2.2)).toBeCloseTo(-0.1, 9);
  });

  it('voltages are divided by the charge of the ion: MgS with a formation energy of −4 eV forms at 2 V', () => {
    const magnesium = buildHull([entry('Mg', 'Mg', 0), entry('S', 'S', 0), entry('MgS', 'MgS', -4)]);
    expect(electrochemicalWindow(magnesium, { S: 1 }, 'Mg').reductionOnsetV).toBeCloseTo(2, 9);
  });

  it('windowOnsets returns the onsets of the whole window', () => {
    for (const formula of ['Li2S', 'LiS', 'S', 'Li3S2', 'LiS4', 'Li5S']) {
      const { reductionOnsetV, oxidationOnsetV } = electrochemicalWindow(hull, parseFormula(formula), 'Li');
      expect(windowOnsets(hull, parseFormula(formula), 'Li', 1)).toEqual({
        reductionOnsetV,
        oxidationOnsetV,
      });
    }
  });

  it('scaling the target scales the uptake, but not the voltages', () => {
    const voltages = (composition: Composition) =>
      electrochemicalWindow(hull, composition, 'Li').ranges.map(({ minV }) => expect.closeTo(minV, 9));
    const cell = electrochemicalWindow(hull, { Li: 12, S: 12 }, 'Li');
    expect(cell.ranges.map(({ minV }) => minV)).toEqual(voltages({ Li: 1, S: 1 }));
    expect(cell.ranges[0].ionUptake).toBeCloseTo(12, 8);
    expect(equationText(cell.ranges[0].reaction)).toBe('LiS + Li → Li2S');
  });

  it.each([
    ['an ion that is none', { S: 1 }, 'Xe'],
    ['an ion absent from the diagram', { S: 1 }, 'Na'],
    ['the ion itself as target', { Li: 2 }, 'Li'],
  ])('%s is refused', (_, target: Composition, ion) => {
    expect(() => electrochemicalWindow(hull, target, ion)).toThrow(
      expect.objectContaining({ code: 'working-ion' }),
    );
  });

  it('refuses a target outside the diagram', () => {
    expect(() => electrochemicalWindow(hull, { P: 1 }, 'Li')).toThrow(
      expect.objectContaining({ code: 'outside-system' }),
    );
  });
});

describe('Li-Fe-P-O of the Materials Project', () => {
  type Row = { id: string; cell: string; energy: number; correction: number; e_form: number; e_hull: number };
  const small = JSON.parse(
    readFileSync(new URL('fixtures/li-fe-p-o-hull.json', import.meta.url), 'utf8'),
  ) as { rows: Row[] };
  const rows = hasSharedData
    ? [...sharedJsonLines<Row>('datasets', 'hull-entries', 'Fe-Li-O-P.jsonl.gz')]
    : small.rows;
  const entries = rows.map(({ id, cell, energy, correction }) => entry(id, cell, energy + correction));
  const windowOf = (formula: string): ElectrochemicalWindow =>
    electrochemicalWindow(buildHull(entries), parseFormula(formula), 'Li');

  it('LiFePO4 is stable between 2.333 and 3.355 V, Li3PO4 between 0.687 and 4.193 V', () => {
    expect(windowOf('LiFePO4')).toMatchObject({
      reductionOnsetV: expect.closeTo(2.333, 3),
      oxidationOnsetV: expect.closeTo(3.355, 3),
    });
    expect(windowOf('Li3PO4')).toMatchObject({
      reductionOnsetV: expect.closeTo(0.687, 3),
      oxidationOnsetV: expect.closeTo(4.193, 3),
    });
  });

  it('energies above hull equal those published with the entries', () => {
    const hull = buildHull(entries);
    const wrong = rows.filter((row, i) => Math.abs(energyAboveHull(hull, entries[i]) - row.e_hull) > 2e-6);
    expect(wrong).toEqual([]);
  });

  it('grand potential at a voltage agrees with the driving force at that voltage', () => {
    const window = windowOf('Li3PO4');
    const voltage = 0.2;
    const open = buildGrandPotentialHull(entries, { Li: relativeChemicalPotential(entries, 'Li', -voltage) });
    const lithiumPhosphate = { composition: window.composition, energy: window.energy };
    // The open hull counts the 5 atoms of Li3PO4 that are not lithium, of 8 in all.
    expect(-energyAboveHull(open, lithiumPhosphate)).toBeCloseTo(
      (8 / 5) * decompositionEnergyAt(window, voltage),
      8,
    );
  });
});

describe('electrochemicalWindow in a hull open to oxygen', () => {
  // Formation energies: Li2O −6, Fe2O3 −8.4 and LiFeO2 −7.6 eV. The oxygen potential is −1.1 eV/atom relative
  // to the gas.
  const entries = [
    entry('Li', 'Li', 0),
    entry('Fe', 'Fe', 0),
    entry('O', 'O2', 0),
    entry('Li2O', 'Li2O', -6),
    entry('Fe2O3', 'Fe2O3', -8.4),
    entry('LiFeO2', 'LiFeO2', -7.6),
  ];
  const potential = -1.1;
  const open = buildGrandPotentialHull(entries, { O: potential }, ['Li', 'Fe']);

  it('ends where the driving forces of the half reactions with the gas are zero', () => {
    const window = electrochemicalWindow(open, parseFormula('LiFeO2'), 'Li');
    // Lower limit: below it 2 Li + O → Li2O takes place, and Li2O grows without limit.
    const floor = (6 + potential) / 2;
    expect(window.floorV).toBeCloseTo(floor, 9);
    expect(window.reductionOnsetV).toBeCloseTo(floor, 9);
    // Upper limit: above it LiFeO2 → Li + ½ Fe2O3 + ½ O takes place.
    expect(window.oxidationOnsetV).toBeCloseTo(7.6 - 8.4 / 2 + potential / 2, 9);
    expect(window.ranges.map(({ reaction }) => equationText(reaction))).toEqual([
      'LiFeO2 → LiFeO2',
      'LiFeO2 → 0.5 Fe2O3 + 0.25 O2 + Li',
    ]);
    expect(window.energyAboveHull).toBe(0);
  });

  it('uses the energy of the given target, and equals the closed window at a very low oxygen potential', () => {
    const target = entry('own', 'LiFeO2', -7.5);
    const { energyAboveHull: above } = electrochemicalWindow(open, target, 'Li');
    // Energy per atom, oxygen atoms not counted.
    expect(above).toBeCloseTo(0.1 / 2, 9);
    const closed = buildHull(entries.filter(({ id }) => id === 'Li' || id === 'Fe'));
    const vacuum = buildGrandPotentialHull(entries, { O: -100 }, ['Li', 'Fe']);
    const [a, b] = [closed, vacuum].map((hull) => electrochemicalWindow(hull, { Fe: 1 }, 'Li'));
    expect(b).toMatchObject({
      floorV: a.floorV,
      reductionOnsetV: a.reductionOnsetV,
      oxidationOnsetV: a.oxidationOnsetV,
    });
  });

  it('refuses a target that consists only of the ion and the gas', () => {
    expect(() => electrochemicalWindow(open, parseFormula('Li2O'), 'Li')).toThrow(/nothing besides Li, O/);
  });
});
