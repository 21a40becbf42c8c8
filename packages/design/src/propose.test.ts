import { compositionOf, orderedSite, type Structure } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { ionsOf, needsCharges, neutralCharges } from './charges.ts';
import {
  chemicalSystems,
  permutations,
  propose,
  replacementOdds,
  substitute,
  type Template,
  volumeRatio,
} from './propose.ts';

const signs = (composition: Record<string, number>): Record<string, number> | null => {
  const found = neutralCharges(composition);
  return found && Object.fromEntries(Object.entries(found).map(([element, { charge }]) => [element, charge]));
};

describe('charges', () => {
  // Formal charges as in textbooks.
  it.each([
    [
      { Na: 1, Cl: 1 },
      { Na: 1, Cl: -1 },
    ],
    [
      { Ti: 1, O: 2 },
      { Ti: 4, O: -2 },
    ],
    [
      { Fe: 2, O: 3 },
      { Fe: 3, O: -2 },
    ],
    [
      { Li: 1, Fe: 1, P: 1, O: 4 },
      { Li: 1, Fe: 2, P: 5, O: -2 },
    ],
    [
      { Ba: 1, Ti: 1, O: 3 },
      { Ba: 2, Ti: 4, O: -2 },
    ],
    [
      { Li: 3, P: 1, S: 4 },
      { Li: 1, P: 5, S: -2 },
    ],
    [
      { Ga: 1, As: 1 },
      { Ga: 3, As: -3 },
    ],
    [
      { Mg: 2, Si: 1 },
      { Mg: 2, Si: -4 },
    ],
    [
      { Na: 1, H: 1 },
      { Na: 1, H: -1 },
    ],
  ])('for %j are %j', (composition, charges) => {
    expect(signs(composition)).toEqual(charges);
  });

  it.each([
    { Na: 1, Cl: 2 },
    { Mg: 1, O: 2 },
    { Li: 1, P: 1, S: 1 },
    { Ne: 1, O: 1 },
  ])('for %j do not exist', (composition) => {
    expect(neutralCharges(composition)).toBeNull();
  });

  it('are required only for compounds of non-metals', () => {
    expect(needsCharges(['Li', 'O'])).toBe(true);
    expect(needsCharges(['Ni', 'Ti'])).toBe(false);
  });

  it('always add up to exactly zero', () => {
    for (const composition of [
      { Sr: 1, Ti: 1, O: 3 },
      { K: 2, Si: 1, F: 6 },
      { Cu: 1, In: 1, Se: 2 },
    ]) {
      const charges = signs(composition)!;
      const total = Object.entries(composition).reduce((sum, [element, n]) => sum + n * charges[element], 0);
      expect(total).toBe(0);
    }
  });
});

describe('radiusOf', () => {
  // Shannon 1976, sixfold coordination.
  it.each([
    ['Na', 1, 1.02],
    ['Mg', 2, 0.72],
    ['O', -2, 1.4],
    ['Ti', 4, 0.605],
    ['La', 3, 1.032],
  ])('for %s with charge %i is %f Å', (element, charge, radius) => {
    expect(ionsOf(element).find((ion) => ion.charge === charge)?.radius).toBe(radius);
  });
});

describe('volumeRatio', () => {
  it('is one for the same composition, and inverted for the reverse replacement', () => {
    const [salt, oxide] = [
      { Na: 4, Cl: 4 },
      { Mg: 4, O: 4 },
    ];
    const charges = { from: neutralCharges(salt), to: neutralCharges(oxide) };
    expect(volumeRatio(salt, salt, { from: charges.from, to: charges.from })).toBeCloseTo(1, 12);
    const there = volumeRatio(salt, oxide, charges);
    const back = volumeRatio(oxide, salt, { from: charges.to, to: charges.from });
    expect(there * back).toBeCloseTo(1, 12);
    // a(MgO) = 4.212 Å, a(NaCl) = 5.640 Å (both measured): the ratio of volumes is 0.4165; ionic radii
    // reproduce it within a tenth.
    expect(Math.abs(there / 0.4165 - 1)).toBeLessThan(0.1);
  });
});

const rockSalt: Structure = {
  latticeVectors: [
    [0, 2.82, 2.82],
    [2.82, 0, 2.82],
    [2.82, 2.82, 0],
  ],
  sites: [orderedSite('Na', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.5])],
};

describe('propose', () => {
  const templates: Template[] = [
    { id: 1, composition: { Na: 1, Cl: 1 }, prototype: '225:a4 b4' },
    { id: 2, composition: { K: 1, Cl: 1 }, prototype: '225:a4 b4' },
    { id: 3, composition: { Ti: 2, O: 4 }, prototype: '136:a2 f4' },
  ];

  it('keeps the nearest template of each prototype, and puts cations only on cation sites', () => {
    const { proposals, considered, unbalanced } = propose(templates, [['Rb', 'Cl']], { limit: 10 });
    expect(proposals.map(({ formula, templateId, replaced }) => ({ formula, templateId, replaced }))).toEqual(
      [{ formula: 'RbCl', templateId: 2, replaced: { K: 'Rb', Cl: 'Cl' } }],
    );
    expect(considered).toBe(6);
    // RbCl2 and Rb2Cl come from the third template.
    expect(unbalanced).toBe(2);
  });

  it('proposes the known crystal itself at distance 0, with its own volume', () => {
    const [first] = propose(templates, [['O', 'Ti']], { limit: 1 }).proposals;
    expect(first).toMatchObject({ formula: 'TiO2', templateId: 3, distance: 0, charges: { Ti: 4, O: -2 } });
    expect(first.volumeRatio).toBeCloseTo(1, 12);
  });

  it('keeps at most `limit` proposals, for any order of the templates', () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({
      id: i,
      composition: { Na: 1, Cl: 1 },
      prototype: `kind ${i % 40}`,
    }));
    const one = propose(many, [['K', 'Br']], { limit: 5 });
    const other = propose(many.toReversed(), [['K', 'Br']], { limit: 5 });
    expect(one.proposals).toHaveLength(5);
    expect(new Set(one.proposals.map(({ prototype }) => prototype)).size).toBe(5);
    expect(other.proposals.map(({ distance }) => distance)).toEqual(
      one.proposals.map(({ distance }) => distance),
    );
  });

  it('does not require neutral charges for alloys', () => {
    const alloys = propose(
      [{ id: 4, composition: { Ni: 3, Al: 1 }, prototype: '221:a1 c3' }],
      [['Pt', 'Ti']],
      {
        limit: 9,
      },
    );
    expect(alloys.unbalanced).toBe(0);
    expect(alloys.proposals.map(({ formula }) => formula).sort()).toEqual(['Ti3Pt', 'TiPt3']);
  });
});

describe('substitute', () => {
  it('puts the elements on their sites and scales the cell uniformly', () => {
    const made = substitute(rockSalt, { replaced: { Na: 'Li', Cl: 'F' }, volumeRatio: 0.125 });
    expect(compositionOf(made)).toEqual({ Li: 1, F: 1 });
    expect(made.latticeVectors[0]).toEqual([0, 1.41, 1.41]);
    expect(made.sites.map(({ fractionalCoords }) => fractionalCoords)).toEqual(
      rockSalt.sites.map(({ fractionalCoords }) => fractionalCoords),
    );
  });
});

describe('chemicalSystems', () => {
  it('lists all sets of the given size that contain the required elements', () => {
    expect(chemicalSystems(['Li', 'Na', 'O', 'S'], 2, ['O'])).toEqual([
      ['Li', 'O'],
      ['Na', 'O'],
      ['O', 'S'],
    ]);
    expect([...permutations([1, 2, 3])]).toHaveLength(6);
    expect(new Set([...permutations([1, 2, 3, 4])].map(String)).size).toBe(24);
  });
});

describe('replacementOdds', () => {
  // In measured crystals, neighbours in a group of the periodic table replace each other: H. Glawe et al., New J. Phys.
  // 18 (2016) 093011.
  it.each([
    ['K', 'Rb'],
    ['Sr', 'Ba'],
    ['S', 'Se'],
    ['Cl', 'Br'],
    ['La', 'Pr'],
    ['Zr', 'Hf'],
    ['Nb', 'Ta'],
  ])('for %s by %s are positive and equal in both directions', (a, b) => {
    expect(replacementOdds(a, b)).toBeGreaterThan(1);
    expect(replacementOdds(b, a)).toBe(replacementOdds(a, b));
  });

  it.each([
    ['Na', 'O'],
    ['La', 'F'],
    ['Ba', 'Cl'],
    ['O', 'Y'],
  ])('for %s by %s are negative', (a, b) => {
    expect(replacementOdds(a, b)).toBeLessThan(0);
  });

  it('are zero for elements without counts', () => {
    expect(replacementOdds('Og', 'Fm')).toBe(0);
  });
});
