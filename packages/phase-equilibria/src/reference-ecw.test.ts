/** The reference cases of electrochemical windows (linear-program lower envelope of the grand potential). */
import { referenceCases } from '@unitcell/tools/shared-data';
import { parseFormula } from '@unitcell/crystal';
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
    window_v: number | null;
    has_zero_uptake_range: boolean;
    e_above_hull: number;
    ranges: Range[];
    profile: {
      voltage: number;
      decomposition_energy_ev_per_atom: number;
      decomposition_energy_ev_per_nonion_atom: number;
    }[];
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
        expect(window.windowV).toEqual(orNull(target.window_v, volts));
        expect(window.energyAboveHull).toBeCloseTo(target.e_above_hull, energy);
        expect(window.windowIndex >= 0).toBe(target.has_zero_uptake_range);
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
          const found = decompositionEnergyAt(window, point.voltage);
          expect(found.perAtom).toBeCloseTo(point.decomposition_energy_ev_per_atom, energy);
          expect(found.perNonIonAtom).toBeCloseTo(point.decomposition_energy_ev_per_nonion_atom, energy);
        }
      });
  }
});
