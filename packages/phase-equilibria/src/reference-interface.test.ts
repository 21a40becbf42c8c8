/** The reference cases of interface reactions, closed and open to an element. */
import { referenceCases } from '@unitcell/tools/shared-data';
import { parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import type { PhaseEntry } from './entries.ts';
import type { EquationTerm } from './decomposition.ts';
import { buildGrandPotentialHull, buildHull, relativeChemicalPotential } from './hull.ts';
import { type InterfaceReaction, interfaceReaction } from './interface-reaction.ts';

interface Term {
  formula: string;
  coefficient: number;
}
interface Kink {
  x_atomic_fraction_of_first?: number;
  x_fraction_of_first?: number;
  x_molar_fraction_of_first?: number;
  reaction_energy_ev_per_atom: number;
  reaction_energy_kj_per_mol_reaction: number;
  reactants: Term[];
  products: Term[];
}
interface OpenPair {
  reactants: [string, string];
  open_element: string;
  relative_mu_ev: number;
}
interface Input {
  entries: PhaseEntry[];
  pairs: { reactants: [string, string]; use_hull_energy: boolean }[];
  open_pairs: OpenPair[];
}
interface Expected {
  pairs: {
    reactants: [string, string];
    use_hull_energy: boolean;
    reactant_energy_ev_per_atom: number[];
    kinks: Kink[];
  }[];
  open_pairs: (OpenPair & { kinks: Kink[] })[];
}

/** Decimals for `toBeCloseTo` that allow x 1e-4, energies 1e-5 eV/atom, 0.05 kJ/mol and coefficients 0.002. */
const DIGITS = { x: 3.7, energy: 4.7, kilojoule: 1, coefficient: 2.4 };

const found = (reaction: InterfaceReaction) =>
  reaction.kinks.map((kink) => ({
    x: kink.atomicFraction,
    molar: kink.molarFraction,
    energy: kink.reactionEnergyPerAtom,
    kilojoule: kink.reactionEnergyKJPerMol,
    reactants: terms(kink.equation.reactants),
    products: terms(kink.equation.products),
  }));

const terms = (list: readonly EquationTerm[]) =>
  Object.fromEntries(list.map(({ formula, coefficient }) => [formula, coefficient]));

const wanted = (kinks: readonly Kink[]) =>
  kinks.map((kink) => ({
    x: expect.closeTo(kink.x_atomic_fraction_of_first ?? kink.x_fraction_of_first ?? Number.NaN, DIGITS.x),
    molar:
      kink.x_molar_fraction_of_first === undefined
        ? expect.any(Number)
        : expect.closeTo(kink.x_molar_fraction_of_first, DIGITS.x),
    energy: expect.closeTo(kink.reaction_energy_ev_per_atom, DIGITS.energy),
    kilojoule: expect.closeTo(kink.reaction_energy_kj_per_mol_reaction, DIGITS.kilojoule),
    reactants: wantedTerms(kink.reactants),
    products: wantedTerms(kink.products),
  }));

const wantedTerms = (list: readonly Term[]) =>
  Object.fromEntries(
    list.map(({ formula, coefficient }) => [formula, expect.closeTo(coefficient, DIGITS.coefficient)]),
  );

describe('interface reference cases', () => {
  for (const { id, input, expected } of referenceCases<Input, Expected>('interface')) {
    const hull = buildHull(input.entries);
    for (const pair of expected.pairs)
      it(`${id}: ${pair.reactants.join(' and ')}${pair.use_hull_energy ? ' at hull energies' : ''}`, () => {
        const [first, second] = pair.reactants;
        const reaction = interfaceReaction(hull, parseFormula(first), parseFormula(second), {
          useHullEnergy: pair.use_hull_energy,
        });
        expect(found(reaction)).toEqual(wanted(pair.kinks));
        expect(reaction.reactants.map(({ energyPerAtom }) => energyPerAtom)).toEqual(
          pair.reactant_energy_ev_per_atom.map((energy) => expect.closeTo(energy, DIGITS.energy)),
        );
      });

    for (const pair of expected.open_pairs)
      it(`${id}: ${pair.reactants.join(' and ')} open to ${pair.open_element} at ${pair.relative_mu_ev} eV`, () => {
        const potential = relativeChemicalPotential(input.entries, pair.open_element, pair.relative_mu_ev);
        const open = buildGrandPotentialHull(input.entries, { [pair.open_element]: potential });
        const [first, second] = pair.reactants;
        expect(found(interfaceReaction(open, parseFormula(first), parseFormula(second)))).toEqual(
          wanted(pair.kinks),
        );
      });
  }
});
