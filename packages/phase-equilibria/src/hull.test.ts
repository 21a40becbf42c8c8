import { minimumByHighs } from '@unitcell/tools/testing/linear-program';
import { atomCount, type Composition, parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { decomposition, equilibriumReactionEnergy, facetsOf } from './decomposition.ts';
import type { PhaseEntry } from './entries.ts';
import {
  buildCompoundHull,
  buildGrandPotentialHull,
  buildHull,
  energiesAboveHull,
  energyAboveHull,
  formationEnergyPerAtom,
  relativeChemicalPotential,
  stableEntries,
} from './hull.ts';
import { chemicalPotentials, hullEnergyPerAtom } from './testing/at-composition.ts';

const entry = (id: string, formula: string, energy: number): PhaseEntry => ({
  id,
  composition: parseFormula(formula),
  energy,
});

const ELEMENTS = ['Li', 'Fe', 'P', 'O', 'Na', 'Cl'];

/**
 * Random entries on a coarse grid of compositions and energies: every set contains duplicates, supercells,
 * ties, coplanar phases and positive formation energies.
 */
function randomEntries(k: number, count: number, seed: number): PhaseEntry[] {
  const random = seededRandom(seed);
  const elements = ELEMENTS.slice(0, k);
  const entries = elements.map((element, i) => entry(`ref-${element}`, element, -1 - i));
  for (let n = 0; n < count; n++) {
    const amounts = elements.map(() => Math.floor(4 * random()));
    const atoms = amounts.reduce((sum, amount) => sum + amount, 0);
    if (atoms === 0) continue;
    const composition = Object.fromEntries(
      elements.flatMap((e, i) => (amounts[i] > 0 ? [[e, amounts[i]]] : [])),
    );
    const reference = amounts.reduce((sum, amount, i) => sum + amount * (-1 - i), 0);
    const step = seed % 2 === 0 ? 0.25 : 1e-6;
    entries.push({
      id: `e${n}`,
      composition,
      energy: reference + atoms * step * Math.round((0.5 - random()) / step),
    });
  }
  return entries;
}

/** Hull energy per atom by a linear program over all entries. */
function hullEnergyByLinearProgram(entries: readonly PhaseEntry[], composition: Composition): number {
  const elements = [...new Set(entries.flatMap((e) => Object.keys(e.composition)))];
  const atoms = atomCount(composition);
  return minimumByHighs({
    costs: entries.map((e) => e.energy / atomCount(e.composition)),
    rows: elements.map((element) =>
      entries.map((e) => (e.composition[element] ?? 0) / atomCount(e.composition)),
    ),
    rightHandSide: elements.map((element) => (composition[element] ?? 0) / atoms),
  });
}

const shuffled = <T>(list: readonly T[], seed: number): T[] => {
  const random = seededRandom(seed);
  return list
    .map((value) => [random(), value] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, value]) => value);
};

const byId = (entries: readonly PhaseEntry[]): Map<string, number> => {
  const hull = buildHull(entries);
  const above = energiesAboveHull(hull);
  return new Map(hull.entries.map((e, i) => [e.id, above[i]]));
};

describe('buildHull', () => {
  it('agrees with a linear program in 1 to 6 components, on degenerate and on generic sets', () => {
    const sets = process.env.NIGHTLY ? 8 : 4;
    for (let k = 1; k <= 6; k++)
      for (let seed = 1; seed <= sets; seed++) {
        const entries = randomEntries(k, 40, 10 * k + seed);
        const hull = buildHull(entries);
        const above = energiesAboveHull(hull);
        hull.entries.forEach((e, i) => {
          if (i % 5 !== seed % 5) return;
          const expected =
            e.energy / atomCount(e.composition) - hullEnergyByLinearProgram(entries, e.composition);
          expect(above[i]).toBeCloseTo(Math.max(0, expected), 9);
        });
      }
  });

  it('decompositions conserve mass and energy, and no entry is below the plane of the potentials', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const k = 2 + (seed % 4);
      const entries = randomEntries(k, 30, seed);
      const hull = buildHull(entries);
      const random = seededRandom(seed);
      const target = Object.fromEntries(ELEMENTS.slice(0, k).map((element) => [element, 0.1 + random()]));
      const shares = decomposition(hull, target);
      const potentials = chemicalPotentials(hull, target);
      for (const element of ELEMENTS.slice(0, k)) {
        const found = shares.reduce(
          (sum, { entry: e, atomicFraction }) =>
            sum + (atomicFraction * (e.composition[element] ?? 0)) / atomCount(e.composition),
          0,
        );
        expect(found).toBeCloseTo(target[element] / atomCount(target), 9);
      }
      const energy = shares.reduce(
        (sum, { entry: e, atomicFraction }) => sum + (atomicFraction * e.energy) / atomCount(e.composition),
        0,
      );
      expect(energy).toBeCloseTo(hullEnergyPerAtom(hull, target), 9);
      const worth = (composition: Composition) =>
        Object.entries(composition).reduce((sum, [element, amount]) => sum + amount * potentials[element], 0);
      expect(worth(target) / atomCount(target)).toBeCloseTo(energy, 9);
      for (const e of entries) expect(e.energy - worth(e.composition)).toBeGreaterThan(-1e-8);
    }
  });

  it('does not depend on the order of entries, on supercells, or on duplicates', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const entries = randomEntries(4, 40, seed);
      const reference = byId(entries);
      const supercells = entries.map((e, i) => ({
        ...e,
        composition: Object.fromEntries(
          Object.entries(e.composition).map(([el, n]) => [el, n * (1 + (i % 5))]),
        ),
        energy: e.energy * (1 + (i % 5)),
      }));
      const doubled = [...entries, ...entries.map((e) => ({ ...e, id: `copy-${e.id}` }))];
      for (const changed of [shuffled(entries, seed), supercells, doubled]) {
        const found = byId(changed);
        for (const [id, value] of reference) expect(found.get(id)).toBeCloseTo(value, 9);
      }
    }
  });

  it('energies above hull scale with the unit of energy, and do not depend on the energies of the elements', () => {
    const entries = randomEntries(3, 40, 5);
    const reference = byId(entries);
    const scaled = byId(entries.map((e) => ({ ...e, energy: 1000 * e.energy })));
    const shifted = byId(
      entries.map((e) => ({
        ...e,
        energy: e.energy + 7 * (e.composition.Li ?? 0) - 3 * (e.composition.P ?? 0),
      })),
    );
    for (const [id, value] of reference) {
      expect(scaled.get(id)).toBeCloseTo(1000 * value, 6);
      expect(shifted.get(id)).toBeCloseTo(value, 9);
    }
  });

  it('a stable entry lies on or below the hull of the others', () => {
    const entries = randomEntries(3, 40, 9);
    const hull = buildHull(entries);
    for (const e of stableEntries(hull).filter(({ id }) => !id.startsWith('ref-'))) {
      const rest = buildHull(entries.filter(({ id }) => id !== e.id));
      expect(energyAboveHull(rest, e)).toBeLessThanOrEqual(0);
    }
  });

  it('a system without a stable compound is the simplex of its elements', () => {
    const hull = buildHull([entry('a', 'Fe', -8), entry('b', 'Cu', -4), entry('c', 'FeCu', -11)]);
    expect(stableEntries(hull).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(facetsOf(hull)).toHaveLength(1);
    expect([...energiesAboveHull(hull)]).toEqual([0, 0, expect.closeTo(0.5, 12)]);
  });

  it('for a single element only the lowest polymorph is stable; others are above it by their difference', () => {
    const hull = buildHull([
      entry('graphite', 'C4', -36.8),
      entry('diamond', 'C2', -18.2),
      entry('copy', 'C2', -18.4),
    ]);
    expect([...energiesAboveHull(hull)]).toEqual([0, expect.closeTo(0.1, 12), 0]);
    expect(decomposition(hull, { C: 3 })).toMatchObject([{ atomicFraction: 1, formula: 'C' }]);
  });

  it('all phases on a tie line are stable and belong to the triangulation', () => {
    const line = [
      entry('Li', 'Li', 0),
      entry('O', 'O2', 0),
      entry('a', 'Li3O', -4),
      entry('b', 'LiO', -4),
      entry('c', 'LiO3', -4),
    ];
    const hull = buildHull(line);
    expect(stableEntries(hull)).toHaveLength(5);
    expect(facetsOf(hull)).toHaveLength(4);
  });

  it('uses the given order of components and ignores entries with other elements', () => {
    const entries = randomEntries(4, 40, 3);
    const hull = buildHull(entries, { elements: ['O', 'Fe'] });
    expect(hull.space.components).toEqual(['O', 'Fe']);
    expect(
      hull.entries.every((e) => Object.keys(e.composition).every((el) => ['O', 'Fe'].includes(el))),
    ).toBe(true);
  });

  it('works with twelve components', () => {
    const twelve = ['H', 'Li', 'B', 'C', 'N', 'O', 'F', 'Na', 'Mg', 'Al', 'Si', 'P'];
    const random = seededRandom(12);
    const entries = twelve.map((element) => entry(element, element, 0));
    for (let n = 0; n < 200; n++) {
      const chosen = shuffled(twelve, n).slice(0, 2 + (n % 4));
      entries.push({
        id: `x${n}`,
        composition: Object.fromEntries(chosen.map((el) => [el, 1 + Math.floor(4 * random())])),
        energy: -10 * random(),
      });
    }
    const hull = buildHull(entries);
    const target = Object.fromEntries(twelve.map((element, i) => [element, 1 + i]));
    expect(hullEnergyPerAtom(hull, target)).toBeCloseTo(hullEnergyByLinearProgram(entries, target), 9);
    expect(() => facetsOf(hull)).toThrow(expect.objectContaining({ code: 'component-count' }));
  });
});

describe('energyAboveHull', () => {
  const hull = buildHull([entry('Fe', 'Fe', 0), entry('O', 'O2', 0), entry('hematite', 'Fe2O3', -8)]);

  it('is negative for an external entry that would be stable', () => {
    expect(energyAboveHull(hull, entry('new', 'FeO', -4))).toBeCloseTo(-4 / 2 + 8 / 6, 12);
  });

  it('does not depend on the energy scale of the elements', () => {
    expect(formationEnergyPerAtom(hull, entry('x', 'Fe4O6', -16))).toBeCloseTo(-1.6, 12);
  });

  it('refuses a composition outside the system and an empty one', () => {
    expect(() => energyAboveHull(hull, entry('x', 'LiO', -1))).toThrow(
      expect.objectContaining({ code: 'outside-system', subjects: ['Li'] }),
    );
    expect(() => hullEnergyPerAtom(hull, {})).toThrow(expect.objectContaining({ code: 'invalid-entry' }));
  });
});

describe('equilibriumReactionEnergy', () => {
  const hull = buildHull([
    entry('Fe', 'Fe', 0),
    entry('O', 'O2', 0),
    entry('a', 'Fe2O3', -8),
    entry('b', 'Fe3O4', -11.2),
    entry('c', 'FeO', 0.2),
  ]);

  it('is the energy of the phase relative to its stable neighbours', () => {
    // Fe3O4 = 4/3 Fe2O3 + 1/3 Fe: −11.2 + 4/3 · 8, over 7 atoms.
    expect(equilibriumReactionEnergy(hull, { Fe: 6, O: 8 })).toBeCloseTo((-11.2 + 32 / 3) / 7, 12);
  });

  it('is the energy above hull for an unstable phase and null for an element', () => {
    expect(equilibriumReactionEnergy(hull, { Fe: 1, O: 1 })).toBeCloseTo(energiesAboveHull(hull)[4], 12);
    expect(equilibriumReactionEnergy(hull, { O: 1 })).toBeNull();
    expect(() => equilibriumReactionEnergy(hull, { Fe: 1, O: 9 })).toThrow(
      expect.objectContaining({ code: 'empty' }),
    );
  });
});

describe('buildCompoundHull', () => {
  const entries = [
    entry('Li', 'Li', 0),
    entry('Mn', 'Mn', 0),
    entry('O', 'O2', 0),
    entry('Li2O', 'Li4O2', -12),
    entry('MnO2', 'MnO2', -6),
    entry('Li2MnO3', 'Li2MnO3', -12.6),
    entry('LiMnO2', 'LiMnO2', -9),
  ];
  const corners = ['Li2O', 'MnO2'].map((label) => ({ label, composition: parseFormula(label) }));

  it('keeps the entries that are mixtures of the corners, and measures energies relative to the corners', () => {
    const hull = buildCompoundHull(entries, corners);
    expect(hull.entries.map(({ id }) => id)).toEqual(['Li2O', 'MnO2', 'Li2MnO3']);
    expect([...hull.formationEnergies]).toEqual([0, 0, expect.closeTo(-0.1, 12)]);
    expect(Array.from(hull.fractions.subarray(4, 6))).toEqual([
      expect.closeTo(0.5, 12),
      expect.closeTo(0.5, 12),
    ]);
    expect(
      decomposition(hull, parseFormula('Li4MnO4'))
        .map(({ formula }) => formula)
        .sort(),
    ).toEqual(['Li2MnO3', 'Li2O']);
  });

  it('accepts compounds and elements as corners', () => {
    const hull = buildCompoundHull(
      entries,
      ['Li2O', 'Mn', 'O2'].map((label) => ({ label, composition: parseFormula(label) })),
    );
    expect(hull.entries.map(({ id }) => id)).toEqual(
      ['Mn', 'O', 'Li2O', 'MnO2', 'Li2MnO3', 'LiMnO2'], // all except lithium itself
    );
  });

  it('refuses dependent corners and corners without an entry', () => {
    const dependent = ['Li2O', 'MnO2', 'Li2MnO3'].map((label) => ({
      label,
      composition: parseFormula(label),
    }));
    expect(() => buildCompoundHull(entries, dependent)).toThrow(
      expect.objectContaining({ code: 'dependent-components' }),
    );
    const absent = [...corners, { label: 'Mn3O4', composition: parseFormula('Mn3O4') }];
    expect(() => buildCompoundHull(entries, absent)).toThrow(
      expect.objectContaining({ code: 'missing-reference', subjects: ['Mn3O4'] }),
    );
  });
});

describe('buildGrandPotentialHull', () => {
  const entries = [
    entry('Fe', 'Fe', 0),
    entry('O', 'O2', -10),
    entry('FeO', 'FeO', -8),
    entry('Fe2O3', 'Fe2O3', -23),
  ];

  it('with iron as the only closed element, the stable oxide has the lowest E − μ n(O) per iron atom', () => {
    const at = (relative: number) =>
      stableEntries(
        buildGrandPotentialHull(entries, { O: relativeChemicalPotential(entries, 'O', relative) }),
      ).map(({ id }) => id);
    // Formation energies: FeO −3 eV, Fe2O3 −8 eV; Fe2O3/2 ↔ FeO at μ = −2, FeO ↔ Fe at −3.
    expect(at(-1)).toEqual(['Fe2O3']);
    expect(at(-2.5)).toEqual(['FeO']);
    expect(at(-4)).toEqual(['Fe']);
  });

  it('refuses a system without remaining elements and a potential that is not a number', () => {
    expect(() => buildGrandPotentialHull(entries, { O: -5, Fe: 0 })).toThrow(
      expect.objectContaining({ code: 'component-count' }),
    );
    expect(() => buildGrandPotentialHull(entries, { O: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'invalid-entry' }),
    );
    expect(() => relativeChemicalPotential(entries, 'N', 0)).toThrow(
      expect.objectContaining({ code: 'missing-reference' }),
    );
  });
});

describe('invalid entries', () => {
  const good = [entry('Fe', 'Fe', 0), entry('O', 'O2', 0)];
  it.each([
    ['no entries', [], 'empty', []],
    ['an energy that is not a number', [...good, entry('bad', 'FeO', Number.NaN)], 'invalid-entry', ['bad']],
    [
      'an infinite energy',
      [...good, entry('bad', 'FeO', Number.NEGATIVE_INFINITY)],
      'invalid-entry',
      ['bad'],
    ],
    ['a duplicate id', [...good, entry('Fe', 'FeO', -1)], 'duplicate-id', ['Fe']],
    [
      'an unknown element',
      [...good, { id: 'x', composition: { Xx: 1 }, energy: 0 }],
      'unknown-element',
      ['Xx'],
    ],
    [
      'a negative amount',
      [...good, { id: 'x', composition: { Fe: -1 }, energy: 0 }],
      'invalid-entry',
      ['entry x'],
    ],
    [
      'a composition without atoms',
      [...good, { id: 'x', composition: {}, energy: 0 }],
      'invalid-entry',
      ['entry x'],
    ],
    ['an element without an entry', [...good, entry('x', 'LiNaO', -1)], 'missing-reference', ['Li', 'Na']],
  ])('%s is refused with its id', (_, entries, code, subjects) => {
    expect(() => buildHull(entries)).toThrow(
      expect.objectContaining({ package: 'phase-equilibria', code, subjects }),
    );
  });

  it('lists requested elements that have no entries', () => {
    expect(() => buildHull(good, { elements: ['Fe', 'O', 'S'] })).toThrow(/energy of S/);
  });
});
