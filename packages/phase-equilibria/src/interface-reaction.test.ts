import { type Composition, parseFormula } from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import type { PhaseEntry } from './entries.ts';
import { type Equation, equationText } from './decomposition.ts';
import { buildGrandPotentialHull, buildHull } from './hull.ts';
import { hullEnergyPerAtom } from './testing/at-composition.ts';
import { interfaceReaction, mutualEnergy } from './interface-reaction.ts';

const entry = (id: string, formula: string, energy: number): PhaseEntry => ({
  id,
  composition: parseFormula(formula),
  energy,
});

const ENTRIES = [
  entry('Li', 'Li', 0),
  entry('S', 'S', 0),
  entry('P', 'P', 0),
  entry('Li2S', 'Li2S', -4.5),
  entry('Li3P', 'Li3P', -2.8),
  entry('P2S5', 'P2S5', -2.1),
  entry('Li3PS4', 'Li3PS4', -9.2),
  entry('Li7PS6', 'Li7PS6', -17.9),
];

/** Atoms of each element on one side of an equation. */
function atomsOf(terms: Equation['reactants']): Composition {
  const atoms: Record<string, number> = {};
  for (const { formula, coefficient } of terms)
    for (const [element, amount] of Object.entries(parseFormula(formula)))
      atoms[element] = (atoms[element] ?? 0) + coefficient * amount;
  return atoms;
}

const expectBalanced = (equation: Equation) => {
  const left = atomsOf(equation.reactants);
  const right = atomsOf(equation.products);
  for (const element of new Set([...Object.keys(left), ...Object.keys(right)]))
    expect(right[element] ?? 0).toBeCloseTo(left[element] ?? 0, 6);
};

describe('interfaceReaction', () => {
  const hull = buildHull(ENTRIES);
  const react = (first: string, second: string, useHullEnergy = false) =>
    interfaceReaction(hull, parseFormula(first), parseFormula(second), { useHullEnergy });

  it('the elements lithium and sulphur form Li2S at an atomic fraction of lithium of 2/3', () => {
    const { kinks, minimumIndex } = react('Li', 'S');
    expect(kinks.map(({ atomicFraction }) => atomicFraction)).toEqual([0, expect.closeTo(2 / 3, 9), 1]);
    expect(minimumIndex).toBe(1);
    expect(kinks[1]).toMatchObject({
      reactionEnergyPerAtom: expect.closeTo(-1.5, 9),
      reactionEnergyKJPerMol: expect.closeTo(-1.5 * KJ_PER_MOL_PER_EV, 6),
      molarFraction: expect.closeTo(2 / 3, 9),
    });
    expect(equationText(kinks[1].equation)).toBe('0.6667 Li + 0.3333 S → 0.3333 Li2S');
  });

  it('mutualEnergy equals the energy of the strongest reaction at hull energies, in closed and open systems', () => {
    const open = buildGrandPotentialHull(ENTRIES, { Li: -2 });
    const formulas = ['Li3PS4', 'Li2S', 'P2S5', 'LiPS3', 'P', 'S', 'Li5PS2'];
    for (const system of [hull, open])
      for (const first of formulas)
        for (const second of formulas) {
          const [one, two] = [parseFormula(first), parseFormula(second)];
          const { kinks, minimumIndex } = interfaceReaction(system, one, two, { useHullEnergy: true });
          const expected = kinks[minimumIndex].reactionEnergyPerAtom;
          expect(mutualEnergy(system, one, two)).toBeCloseTo(expected, 10);
        }
    expect(() => mutualEnergy(open, { Li: 1 }, { S: 1 })).toThrow('open to the reservoir');
  });

  it('every kink is balanced and on the hull, and the energy is a convex function of the fraction', () => {
    for (const [first, second] of [
      ['Li3PS4', 'Li'],
      ['P2S5', 'Li2S'],
      ['Li7PS6', 'P'],
      ['Li3P', 'S'],
    ] as const) {
      const { kinks, reactants } = react(first, second);
      for (const kink of kinks) {
        expectBalanced(kink.equation);
        expect(kink.equation.reactants.reduce((sum, { coefficient }) => sum + coefficient, 0)).toBeCloseTo(
          1,
          9,
        );
        const mixture = atomsOf(kink.equation.reactants);
        const ends =
          kink.atomicFraction * reactants[0].energyPerAtom +
          (1 - kink.atomicFraction) * reactants[1].energyPerAtom;
        expect(kink.reactionEnergyPerAtom).toBeCloseTo(hullEnergyPerAtom(hull, mixture) - ends, 8);
      }
      const slopes = kinks
        .slice(1)
        .map(
          (kink, i) =>
            (kink.reactionEnergyPerAtom - kinks[i].reactionEnergyPerAtom) /
            (kink.atomicFraction - kinks[i].atomicFraction),
        );
      expect(slopes.every((slope, i) => i === 0 || slope > slopes[i - 1])).toBe(true);
    }
  });

  it('between two neighbouring kinks the hull energy is linear, so no kink is missing', () => {
    const random = seededRandom(3);
    const { kinks } = react('P2S5', 'Li');
    kinks.slice(1).forEach((kink, i) => {
      const share = random();
      const x = kinks[i].atomicFraction * share + kink.atomicFraction * (1 - share);
      const mixture = { Li: 1 - x, P: (2 / 7) * x, S: (5 / 7) * x };
      const chord = kinks[i].reactionEnergyPerAtom * share + kink.reactionEnergyPerAtom * (1 - share);
      expect(hullEnergyPerAtom(hull, mixture) - (x * -2.1) / 7).toBeCloseTo(chord, 9);
    });
  });

  it('exchanging the reactants mirrors the result', () => {
    const forward = react('Li3PS4', 'Li').kinks;
    const backward = react('Li', 'Li3PS4').kinks.slice().reverse();
    expect(backward.map((kink) => [1 - kink.atomicFraction, kink.reactionEnergyPerAtom])).toEqual(
      forward.map((kink) => [
        expect.closeTo(kink.atomicFraction, 9),
        expect.closeTo(kink.reactionEnergyPerAtom, 9),
      ]),
    );
  });

  it('identical reactants, or polymorphs of one composition, do not react', () => {
    for (const second of ['Li2S', 'Li4S2']) {
      const { kinks, minimumIndex } = react('Li2S', second);
      expect(kinks.map((kink) => [kink.atomicFraction, kink.reactionEnergyPerAtom])).toEqual([
        [0, 0],
        [1, 0],
      ]);
      expect(minimumIndex).toBe(0);
    }
  });

  it('two phases that coexist do not react: the minimum is at an end of the mixing line', () => {
    const { kinks, minimumIndex } = react('Li2S', 'Li');
    expect(kinks).toHaveLength(2);
    expect(minimumIndex).toBe(0);
  });

  it('the decomposition of a reactant above the hull is not part of the mutual reaction energy', () => {
    const metastable = entry('m', 'Li3PS4', -8.4);
    const { kinks, reactants } = interfaceReaction(hull, metastable, parseFormula('Li'));
    expect(reactants[0]).toMatchObject({ energyAboveHull: expect.closeTo(0.1, 9), entry: { id: 'm' } });
    expect(kinks[kinks.length - 1]).toMatchObject({
      reactionEnergyPerAtom: expect.closeTo(-0.1, 9),
      mutualEnergyPerAtom: 0,
    });
    for (const kink of kinks)
      expect(kink.decompositionEnergyPerAtom + kink.mutualEnergyPerAtom).toBeCloseTo(
        kink.reactionEnergyPerAtom,
        12,
      );
    // If the metastable phase is the second reactant, the result is the same in reverse order.
    const mirrored = interfaceReaction(hull, parseFormula('Li'), metastable).kinks.toReversed();
    expect(mirrored.map(({ decompositionEnergyPerAtom }) => decompositionEnergyPerAtom)).toEqual(
      kinks.map(({ decompositionEnergyPerAtom }) => expect.closeTo(decompositionEnergyPerAtom, 9)),
    );
    const relaxed = interfaceReaction(hull, metastable, parseFormula('Li'), { useHullEnergy: true });
    expect(relaxed.kinks[relaxed.kinks.length - 1].reactionEnergyPerAtom).toBe(0);
  });

  it('a reactant without an entry has the hull energy of its composition', () => {
    const { reactants } = react('LiS', 'P');
    expect(reactants[0]).toMatchObject({ entry: null, energyAboveHull: 0 });
    expect(reactants[0].energyPerAtom).toBeCloseTo(hullEnergyPerAtom(hull, { Li: 1, S: 1 }), 12);
  });

  it('in a system open to sulphur, equations balance if the exchanged sulphur is counted', () => {
    const open = buildGrandPotentialHull(ENTRIES, { S: -0.3 });
    const { kinks } = interfaceReaction(open, parseFormula('P'), parseFormula('Li2S'));
    for (const kink of kinks) expectBalanced(kink.equation);
    expect(kinks.some(({ equation }) => equation.reactants.some(({ formula }) => formula === 'S'))).toBe(
      true,
    );
    expect(() => interfaceReaction(open, { S: 1 }, { P: 1 })).toThrow(
      expect.objectContaining({ code: 'reactant' }),
    );
  });

  it('refuses elements outside the system and reactants without atoms', () => {
    expect(() => react('NaCl', 'Li')).toThrow(
      expect.objectContaining({ code: 'outside-system', subjects: ['Na', 'Cl'] }),
    );
    expect(() => interfaceReaction(hull, {}, { Li: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid-entry' }),
    );
    expect(() => interfaceReaction(hull, { ...entry('n', 'Li2S', Number.NaN) }, { P: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid-entry', subjects: ['n'] }),
    );
  });
});

describe('reactants with amounts from 1 to 999999999', () => {
  it('are followed along the whole mixing line, although it meets facets within rounding errors', () => {
    const first = parseFormula('Li999999999NaKRbCsMg');
    const second = parseFormula('ClBrISSeO999999999');
    const [metals, anions] = [Object.keys(first), Object.keys(second)];
    const elements = [...metals, ...anions];
    for (let seed = 0; seed < 40; seed++) {
      const random = seededRandom(seed);
      const below = (limit: number): number => Math.floor(limit * random());
      const compounds = Array.from({ length: 40 }, (_, i) => {
        const [metal, anion, p, q] = [metals[below(6)], anions[below(6)], 1 + below(3), 1 + below(3)];
        return { id: String(i), composition: { [metal]: p, [anion]: q }, energy: -(p + q) * 3 * random() };
      });
      const hull = buildHull([...elements.map((element) => entry(element, element, 0)), ...compounds], {
        elements,
      });
      const { kinks } = interfaceReaction(hull, first, second);
      expect(kinks.length).toBeGreaterThanOrEqual(2);
      // ΔE is convex in the mixing fraction: no kink lies above the straight line between its neighbours.
      for (let i = 1; i + 1 < kinks.length; i++) {
        const [left, middle, right] = kinks.slice(i - 1, i + 2);
        const share =
          (middle.mixingFraction - left.mixingFraction) / (right.mixingFraction - left.mixingFraction);
        const chord = (1 - share) * left.reactionEnergyPerAtom + share * right.reactionEnergyPerAtom;
        expect(middle.reactionEnergyPerAtom).toBeLessThanOrEqual(chord + 1e-6);
      }
    }
  });
});
