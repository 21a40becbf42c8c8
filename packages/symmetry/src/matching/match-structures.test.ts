import { findPrimitiveCell, orderedSite, type Structure } from '@unitcell/crystal';
import { determinant3, type Mat3, scale3, seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  anatase,
  caesiumChloride,
  diamond,
  lithiumIronPhosphate,
  quartz,
  rockSalt,
  rutile,
  wurtzite,
  zincBlende,
} from '../testing/fixtures.ts';
import {
  changeBasis,
  permuteSites,
  randomRotation,
  randomStrain,
  randomUnimodular,
  rotate,
  shiftOrigin,
  strain,
} from '../testing/transform-structure.ts';
import { findMatches, matchStructures, prepareCandidate } from './match-structures.ts';
import { prepareStructure } from './prepare-structure.ts';

const crystals: readonly (readonly [string, Structure])[] = [
  ['rock salt', rockSalt],
  ['caesium chloride', caesiumChloride],
  ['diamond', diamond],
  ['zinc blende', zincBlende],
  ['wurtzite', wurtzite],
  ['rutile', rutile],
  ['anatase', anatase],
  ['quartz', quartz],
  ['LiFePO4', lithiumIronPhosphate],
];

const DOUBLED: Mat3 = [
  [2, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const SKEW_TRIPLE: Mat3 = [
  [1, 1, 0],
  [-1, 2, 0],
  [0, 0, 1],
];

const replaceSpecies = (structure: Structure, names: Record<string, string>): Structure => ({
  ...structure,
  sites: structure.sites.map((site) => ({
    ...site,
    species: site.species.map(({ element, occupancy }) => ({
      element: names[element] ?? element,
      occupancy,
    })),
  })),
});

describe('matchStructures', () => {
  it.each(crystals)(
    '%s matches itself whatever the origin, orientation, order of sites and cell',
    (_name, crystal) => {
      const random = seededRandom(7);
      for (let run = 0; run < 6; run++) {
        const other = permuteSites(
          rotate(
            shiftOrigin(changeBasis(crystal, randomUnimodular(random)), [random(), random(), random()]),
            randomRotation(random),
          ),
          random,
        );
        expect(matchStructures(crystal, other)?.rms).toBeLessThan(1e-6);
      }
    },
  );

  it.each(crystals)('%s matches its supercells in both directions', (_name, crystal) => {
    for (const transform of [DOUBLED, SKEW_TRIPLE]) {
      const large = changeBasis(crystal, transform);
      expect(matchStructures(crystal, large)?.rms).toBeLessThan(1e-6);
      expect(matchStructures(large, crystal)?.rms).toBeLessThan(1e-6);
    }
  });

  it.each(crystals)('%s matches itself under a strain of 3 % and at another volume', (_name, crystal) => {
    const random = seededRandom(11);
    const strained = rotate(strain(crystal, randomStrain(random, 0.03)), randomRotation(random));
    expect(matchStructures(crystal, strained)?.rms).toBeLessThan(0.05);
    const larger = strain(crystal, [
      [1.3, 0, 0],
      [0, 1.3, 0],
      [0, 0, 1.3],
    ]);
    expect(matchStructures(crystal, larger)?.rms).toBeLessThan(1e-6);
    expect(matchStructures(crystal, larger, { scale: false })).toBeNull();
  });

  /**
   * Caesium chloride with the given edge in Å; its second atom is displaced along the edge by a fraction of the
   * edge.
   */
  const displaced = (edge: number, share: number): Structure => ({
    latticeVectors: [
      [edge, 0, 0],
      [0, edge, 0],
      [0, 0, edge],
    ],
    sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5 + share, 0.5, 0.5])],
  });

  it('if one atom is displaced, both atoms share the displacement equally, in units of ∛(V/2)', () => {
    for (const share of [0.01, -0.04, 0.1]) {
      const expected = (Math.abs(share) / 2) * Math.cbrt(2);
      expect(matchStructures(displaced(4, 0), displaced(4.4, share))!.rms).toBeCloseTo(expected, 9);
      // Without scaling, lengths are measured in the cell halfway between the two; its metric is their mean.
      const unscaled = matchStructures(displaced(4, 0), displaced(4.4, share), { scale: false })!;
      expect(unscaled.rms).toBeCloseTo((expected * Math.sqrt((4 ** 2 + 4.4 ** 2) / 2)) / 4.4, 9);
    }
  });

  it('siteTolerance applies to the displacements after optimal alignment of the origins', () => {
    const matches = (share: number): boolean =>
      matchStructures(displaced(4, 0), displaced(4, share), { siteTolerance: 0.1 }) !== null;
    expect(matches(0.195 / Math.cbrt(2))).toBe(true);
    expect(matches(0.205 / Math.cbrt(2))).toBe(false);
  });

  it('without scaling, lengths are compared directly: rutile matches if c is 15 % longer, but not 30 %', () => {
    const stretched = (factor: number) =>
      strain(rutile, [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, factor],
      ]);
    for (const [a, b] of [
      [rutile, stretched(1.15)],
      [stretched(1.15), rutile],
    ] as const)
      expect(matchStructures(a, b, { scale: false, lengthTolerance: 0.2 })).not.toBeNull();
    for (const [a, b] of [
      [rutile, stretched(1.3)],
      [stretched(1.3), rutile],
    ] as const) {
      expect(matchStructures(a, b, { scale: false, lengthTolerance: 0.2 })).toBeNull();
      // At equal volume per atom, a is 8 % shorter and c is 19 % longer.
      expect(matchStructures(a, b, { lengthTolerance: 0.2 })).not.toBeNull();
    }
  });

  it.each(crystals)('%s with atoms moved by 0.05 Å matches with an rms of that size', (_name, crystal) => {
    const random = seededRandom(13);
    const length = Math.hypot(...crystal.latticeVectors[0]);
    const rattled: Structure = {
      ...crystal,
      sites: crystal.sites.map((site) => {
        const [x, y, z] = site.fractionalCoords.map((value) => value + ((random() - 0.5) * 0.1) / length);
        return { ...site, fractionalCoords: [x, y, z] };
      }),
    };
    const match = matchStructures(changeBasis(crystal, DOUBLED), rattled);
    expect(match?.rms).toBeGreaterThan(0);
    expect(match?.rms).toBeLessThan(0.05);
  });

  it.each([
    ['rutile', rutile, 'anatase', anatase],
    ['rock salt', rockSalt, 'caesium chloride type', replaceSpecies(caesiumChloride, { Cs: 'Na' })],
    ['wurtzite', wurtzite, 'zinc blende', zincBlende],
    ['rock salt', rockSalt, 'the same with another metal', replaceSpecies(rockSalt, { Na: 'K' })],
    ['zinc blende', replaceSpecies(zincBlende, { Zn: 'Na', S: 'Cl' }), 'rock salt', rockSalt],
  ])('%s does not match %s: %s', (_name, first, _other, second) => {
    expect(matchStructures(first, second)).toBeNull();
    expect(matchStructures(second, first)).toBeNull();
  });

  it('distinguishes crystals with exchanged species', () => {
    const swapped = replaceSpecies(lithiumIronPhosphate, { Fe: 'P', P: 'Fe' });
    expect(matchStructures(lithiumIronPhosphate, swapped)).toBeNull();
  });

  it('does not match rock salt MgO with NaCl', () => {
    const magnesia = replaceSpecies(rockSalt, { Na: 'Mg', Cl: 'O' });
    expect(matchStructures(rockSalt, magnesia)).toBeNull();
  });

  it('counts sites with the same mixture as equal, and others as different', () => {
    const mixed = (share: number): Structure => ({
      ...caesiumChloride,
      sites: [
        {
          species: [
            { element: 'Cs', occupancy: share },
            { element: 'Rb', occupancy: 1 - share },
          ],
          fractionalCoords: [0, 0, 0],
        },
        caesiumChloride.sites[1],
      ],
    });
    expect(matchStructures(mixed(0.5), mixed(0.5))).not.toBeNull();
    expect(matchStructures(mixed(0.5), mixed(0.4))).toBeNull();
  });

  it('refuses an empty structure', () => {
    expect(() => matchStructures({ ...rockSalt, sites: [] }, rockSalt)).toThrow(/no sites/);
  });
});

describe('findMatches', () => {
  it('gives the positions of the entries that match', () => {
    const stored = [rutile, anatase, changeBasis(anatase, DOUBLED)].map((one) => prepareStructure(one));
    const found = [...findMatches(prepareCandidate(anatase), stored)];
    expect(found.map(({ index }) => index)).toEqual([1, 2]);
  });
});

describe('limits of a match', () => {
  it('a chiral crystal matches its mirror image by an improper operation', () => {
    const mirrored: Structure = {
      latticeVectors: quartz.latticeVectors,
      sites: quartz.sites.map((site) => {
        const [x, y, z] = site.fractionalCoords;
        return { ...site, fractionalCoords: [-x, -y, -z] };
      }),
    };
    const match = matchStructures(quartz, mirrored);
    expect(match?.rms).toBeLessThan(1e-6);
    expect(determinant3(match!.rotation)).toBeCloseTo(-1, 9);
    expect(determinant3(matchStructures(quartz, quartz)!.rotation)).toBeCloseTo(1, 9);
  });

  it('without scaling, the length tolerance treats both structures equally', () => {
    const larger = (factor: number): Structure => {
      const [a, b, c] = rockSalt.latticeVectors;
      return { ...rockSalt, latticeVectors: [scale3(a, factor), scale3(b, factor), scale3(c, factor)] };
    };
    const options = { scale: false, lengthTolerance: 0.15 };
    for (const factor of [1.12, 1 / 1.12]) {
      expect(matchStructures(rockSalt, larger(factor), options)).not.toBeNull();
      expect(matchStructures(larger(factor), rockSalt, options)).not.toBeNull();
    }
    expect(matchStructures(rockSalt, larger(1.2), options)).toBeNull();
    expect(matchStructures(rockSalt, larger(1.2), { ...options, scale: true })).not.toBeNull();
  });

  it('copies of a site that nearly coincide are merged at their mean position', () => {
    const drift = 0.004;
    const doubled: Structure = {
      latticeVectors: [
        [8, 0, 0],
        [0, 4.3, 0],
        [0, 0, 4.7],
      ],
      sites: [
        orderedSite('Na', [0, 0, 0]),
        orderedSite('Na', [0.5 + drift, 0, 0]),
        orderedSite('Cl', [0.25, 0.5, 0.5]),
        orderedSite('Cl', [0.75, 0.5, 0.5]),
      ],
    };
    const { sites, latticeVectors } = findPrimitiveCell(doubled, 0.1);
    expect(sites).toHaveLength(2);
    const axis = latticeVectors.findIndex(([x]) => Math.abs(Math.abs(x) - 4) < 1e-9);
    const place = (key: RegExp): number => sites.find((site) => key.test(site.key))!.fractionalCoords[axis];
    // In the cell of half the length fractions are doubled, so the mean of 0 and the drift is the drift.
    const apart = place(/Na/) - place(/Cl/) - 0.5;
    expect(Math.abs(apart - Math.round(apart))).toBeCloseTo(drift, 9);
  });
});
