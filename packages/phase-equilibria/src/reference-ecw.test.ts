/** The reference cases of electrochemical windows (linear-program lower envelope of the grand potential). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hasSharedData, referenceCases, sharedPath } from '@unitcell/tools/shared-data';
import { atomCount, parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { decompositionEnergyAt, electrochemicalWindow } from './electrochemical-window.ts';
import type { PhaseEntry } from './entries.ts';
import { buildHull } from './hull.ts';

interface Input {
  working_ion: string;
  entries: PhaseEntry[];
  targets: string[];
}
interface Range {
  v_min: number;
  v_max: number | null;
  ion_in_mixture_per_formula: number;
  ion_uptake_per_formula: number;
  products: { id: string; formula: string; moles_per_formula: number }[];
}
interface Expected {
  mu_ref_ev_per_atom: number;
  targets: {
    formula: string;
    energy_of_lowest_entry_ev_per_formula: number;
    reduction_onset_v: number;
    oxidation_onset_v: number | null;
    e_above_hull: number;
    ranges: Range[];
    profile: { voltage: number; decomposition_energy_ev_per_atom: number }[];
  }[];
}
interface Tolerance {
  voltage_abs_v: number;
  moles_abs: number;
  energy_abs_ev_per_atom: number;
}

describe('electrochemical-window reference cases', () => {
  for (const { id, input, expected, tolerance } of referenceCases<Input, Expected, Tolerance>('ecw')) {
    const hull = buildHull(input.entries);
    const decimals = (allowed: number) => -Math.log10(2 * allowed);
    const volts = decimals(tolerance.voltage_abs_v);
    const moles = decimals(tolerance.moles_abs);
    const energy = decimals(tolerance.energy_abs_ev_per_atom);
    const orNull = (value: number | null, digits: number): unknown =>
      value === null ? null : expect.closeTo(value, digits);

    for (const target of expected.targets)
      it(`${id}: ${target.formula} against ${input.working_ion}`, () => {
        const window = electrochemicalWindow(hull, parseFormula(target.formula), input.working_ion);
        expect(window.referenceEnergyPerAtom).toBeCloseTo(expected.mu_ref_ev_per_atom, energy);
        expect(window.energy).toBeCloseTo(target.energy_of_lowest_entry_ev_per_formula, 4);
        expect(window.reductionOnsetV).toBeCloseTo(target.reduction_onset_v, volts);
        expect(window.oxidationOnsetV).toEqual(orNull(target.oxidation_onset_v, volts));
        expect(window.energyAboveHull).toBeCloseTo(target.e_above_hull, energy);
        expect(
          window.ranges.map((range) => ({
            v_min: range.minV,
            v_max: range.maxV,
            ion_in_mixture_per_formula: range.ionContent,
            ion_uptake_per_formula: range.ionUptake,
            products: Object.fromEntries(range.products.map((product) => [product.formula, product.moles])),
          })),
        ).toEqual(
          target.ranges.map((range) => ({
            v_min: expect.closeTo(range.v_min, volts),
            v_max: orNull(range.v_max, volts),
            ion_in_mixture_per_formula: expect.closeTo(range.ion_in_mixture_per_formula, moles),
            ion_uptake_per_formula: expect.closeTo(range.ion_uptake_per_formula, moles),
            products: Object.fromEntries(
              range.products.map((product) => [
                product.formula,
                expect.closeTo(product.moles_per_formula, moles),
              ]),
            ),
          })),
        );
        for (const point of target.profile) {
          expect(decompositionEnergyAt(window, point.voltage)).toBeCloseTo(
            point.decomposition_energy_ev_per_atom,
            energy,
          );
        }
      });
  }
});

/**
 * V against lithium, calculated from the energies of the Materials Project of 2015/16: Y. Zhu, X. He, Y. Mo,
 * ACS Appl. Mater. Interfaces 7, 23685 (2015), doi:10.1021/acsami.5b07517; the last three W. D. Richards et
 * al., Chem. Mater. 28, 266 (2016), doi:10.1021/acs.chemmater.5b04082. docs/methods/phase-equilibria.md lists
 * windows that differ by more than 0.1 V.
 */
const PUBLISHED: readonly (readonly [formula: string, reduction: number, oxidation: number])[] = [
  ['Li3PS4', 1.71, 2.31],
  ['Li2PO2N', 0.68, 2.63],
  ['Li1.5Al0.5Ge1.5(PO4)3', 2.7, 4.27],
  ['LiF', 0, 6.36],
  ['LiBr', 0, 3.16],
  ['Li2O', 0, 2.91],
  ['Li3P', 0, 0.87],
  ['Li3PO4', 0.69, 4.21],
  ['LiAlO2', 0.16, 3.7],
  ['Li2ZrO3', 0.34, 3.41],
];

/**
 * Number of decimals with which `closeTo` accepts a difference below 0.1 V: its tolerance is half a unit of the
 * last decimal.
 */
const DECIMALS = -Math.log10(0.2);

describe.skipIf(!hasSharedData)('windows on the energies of the Materials Project of 2018', () => {
  const rows = (): { formula: string; energy: number }[] =>
    gunzipSync(readFileSync(sharedPath('datasets', 'mp2018-energies', 'ground_states.csv.gz')))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
      .map(([formula = '', energy]) => ({ formula, energy: Number(energy) }));

  it('agree with published ones within 0.1 V', () => {
    const states = rows().map(({ formula, energy }) => ({ composition: parseFormula(formula), energy }));
    const calculated = PUBLISHED.map(([formula]) => {
      const target = parseFormula(formula);
      const elements = Object.keys(target);
      const entries = states
        .filter(({ composition }) => Object.keys(composition).every((element) => element in target))
        .map(({ composition, energy }, index) => ({
          id: String(index),
          composition,
          energy: energy * atomCount(composition),
        }));
      const references = elements.map((element) => ({
        id: `reference:${element}`,
        composition: { [element]: 1 },
        energy: 0,
      }));
      const window = electrochemicalWindow(buildHull([...entries, ...references]), target, 'Li');
      return [formula, window.reductionOnsetV, window.oxidationOnsetV];
    });
    expect(calculated).toEqual(
      PUBLISHED.map(([formula, reduction, oxidation]) => [
        formula,
        expect.closeTo(reduction, DECIMALS),
        expect.closeTo(oxidation, DECIMALS),
      ]),
    );
  });
});
