/**
 * Invariants of any description of a crystal: volumes, distances, contents and orbits, on seeded random
 * crystals.
 */
import {
  determinant3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  seededRandom,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { asymmetricUnit } from './asymmetric-unit.ts';
import {
  atomCount,
  atomicFractions,
  compositionOf,
  density,
  formulaUnits,
  molarMass,
} from './composition.ts';
import { anonymousFormula, reducedFormula } from './formula.ts';
import { operationsFromHallSymbol } from './hall-symbol.ts';
import { readCif } from './io/read-cif.ts';
import { readPoscar } from './io/read-poscar.ts';
import { writeCif, writePoscar } from './io/write-structure.ts';
import { cellVolume, latticeParameters, latticeVectorsFromParameters, reciprocalLattice } from './lattice.ts';
import { minimumDistance, neighbourList } from './neighbours.ts';
import { reduceCell } from './reduce-lattice.ts';
import { orderedSite, type Structure, supercell } from './structure.ts';

const random = seededRandom(1912);
const vector = (): Vec3 => [random(), random(), random()];
const crystals = Array.from(
  { length: 25 },
  (): Structure => ({
    latticeVectors: latticeVectorsFromParameters({
      a: 4 + 5 * random(),
      b: 4 + 5 * random(),
      c: 4 + 5 * random(),
      alpha: 60 + 55 * random(),
      beta: 65 + 50 * random(),
      gamma: 65 + 50 * random(),
    }),
    sites: ['Ca', 'Ti', 'O', 'O', 'O'].map((element) => orderedSite(element, vector())),
  }),
);
const repeats: [number, number, number] = [2, 1, 3];

describe('a supercell', () => {
  it('has n times the volume and contents, and the same density, formula and shortest distance', () => {
    for (const crystal of crystals) {
      const large = supercell(crystal, repeats);
      expect(cellVolume(large.latticeVectors) / cellVolume(crystal.latticeVectors)).toBeCloseTo(6, 9);
      expect(large.sites).toHaveLength(6 * crystal.sites.length);
      expect(density(large)).toBeCloseTo(density(crystal), 10);
      expect(reducedFormula(compositionOf(large))).toBe(reducedFormula(compositionOf(crystal)));
      expect(minimumDistance(large)).toBeCloseTo(minimumDistance(crystal), 9);
    }
  });

  it('every copy of a site has the same interatomic distances around it as the original site', () => {
    for (const crystal of crystals.slice(0, 8)) {
      const distances = (structure: Structure, site: number): number[] => {
        const { [site]: own } = neighbourList(structure, 5);
        return own.map(({ distance }) => distance).sort((p, q) => p - q);
      };
      const own = crystal.sites.map((_, site) => distances(crystal, site));
      const large = supercell(crystal, repeats);
      large.sites.forEach(({ species: [{ element }] }, site) => {
        const found = distances(large, site);
        const isOneOf = own.some(
          (wanted, n) =>
            crystal.sites[n].species[0].element === element &&
            wanted.length === found.length &&
            wanted.every((distance, i) => Math.abs(distance - found[i]) < 1e-8),
        );
        expect(isOneOf).toBe(true);
      });
    }
  });
});

describe('a lattice and its reciprocal', () => {
  it('have inverse volumes, are each other’s reciprocal, and reduce to the same lattice', () => {
    for (const { latticeVectors } of crystals) {
      const reciprocal = reciprocalLattice(latticeVectors);
      expect(cellVolume(reciprocal) * cellVolume(latticeVectors)).toBeCloseTo(1, 10);
      reciprocalLattice(reciprocal)
        .flat()
        .forEach((value, i) => expect(value).toBeCloseTo(latticeVectors.flat()[i], 9));
      const { latticeVectors: reduced, toReduced } = reduceCell(latticeVectors);
      expect(Math.abs(determinant3(toReduced))).toBeCloseTo(1, 12);
      expect(cellVolume(reduced)).toBeCloseTo(cellVolume(latticeVectors), 8);
      const longest = (rows: Mat3): number => Math.max(...rows.map(norm3));
      expect(longest(reduced)).toBeLessThanOrEqual(longest(latticeVectors) + 1e-9);
    }
  });

  it('parameters are invariant under rotation, and the metric can be rebuilt from them', () => {
    const rotation: Mat3 = [
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ];
    for (const { latticeVectors } of crystals) {
      const parameters = latticeParameters(latticeVectors);
      const rotated = latticeParameters(multiply3(latticeVectors, rotation));
      const rebuilt = latticeParameters(latticeVectorsFromParameters(parameters));
      for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const) {
        expect(rotated[key]).toBeCloseTo(parameters[key], 9);
        expect(rebuilt[key]).toBeCloseTo(parameters[key], 9);
      }
    }
  });
});

describe('neighbours', () => {
  it('are mutual and located at the listed image', () => {
    for (const { latticeVectors, sites } of crystals) {
      const list = neighbourList({ latticeVectors, sites }, 4.5);
      list.forEach((own, i) =>
        own.forEach(({ site, image, distance }) => {
          const between = [0, 1, 2].map(
            (axis) => sites[site].fractionalCoords[axis] + image[axis] - sites[i].fractionalCoords[axis],
          ) as unknown as Vec3;
          expect(norm3(rowTimesMatrix3(between, latticeVectors))).toBeCloseTo(distance, 8);
          const back = list[site].filter(
            (other) => other.site === i && other.image.every((cell, axis) => cell + image[axis] === 0),
          );
          expect(back).toHaveLength(1);
        }),
      );
    }
  });

  it('a longer cutoff finds all neighbours of a shorter cutoff', () => {
    for (const crystal of crystals.slice(0, 10)) {
      const [near, far] = [neighbourList(crystal, 3.5), neighbourList(crystal, 5)];
      near.forEach((own, i) =>
        expect(far[i].filter(({ distance }) => distance <= 3.5)).toHaveLength(own.length),
      );
    }
  });
});

describe('files', () => {
  it.each<[string, (structure: Structure) => Structure]>([
    ['CIF', (structure) => readCif(writeCif(structure)).structures[0].structure],
    ['POSCAR', (structure) => readPoscar(writePoscar(structure)).structure],
  ])('%s keeps volume, contents, shortest distance and every shell', (_, through) => {
    for (const crystal of crystals) {
      const again = through(crystal);
      expect(compositionOf(again)).toEqual(compositionOf(crystal));
      expect(cellVolume(again.latticeVectors) / cellVolume(crystal.latticeVectors)).toBeCloseTo(1, 6);
      expect(minimumDistance(again)).toBeCloseTo(minimumDistance(crystal), 4);
      const shells = (structure: Structure): number[] =>
        neighbourList(structure, 3.7)
          .flat()
          .map(({ distance }) => distance)
          .sort((p, q) => p - q);
      const [one, two] = [shells(crystal), shells(again)];
      expect(two).toHaveLength(one.length);
      one.forEach((distance, i) => expect(two[i]).toBeCloseTo(distance, 4));
    }
  });
});

describe('orbits and contents', () => {
  it.each(['-P 2ybc', 'P 2ac 2ab', '-C 2yc', '-P 4 2', '-F 4 2 3'])(
    '%s: a general position is one orbit with as many sites as operations',
    (hallSymbol) => {
      const operations = operationsFromHallSymbol(hallSymbol);
      const edge = hallSymbol.includes('4') ? 9 : undefined;
      const position = vector();
      const structure: Structure = {
        latticeVectors: latticeVectorsFromParameters({
          a: 9,
          b: edge ?? 10,
          c: hallSymbol === '-F 4 2 3' ? 9 : 11,
          alpha: 90,
          beta: hallSymbol.includes('y') ? 101 : 90,
          gamma: 90,
        }),
        sites: operations.map(({ rotation, translation }) =>
          orderedSite(
            'Si',
            [0, 1, 2].map((i) =>
              rotation[i].reduce((sum, w, j) => sum + w * position[j], translation[i]),
            ) as unknown as Vec3,
          ),
        ),
      };
      const unit = asymmetricUnit(structure, operations, 1e-3);
      expect(unit.map(({ multiplicity }) => multiplicity)).toEqual([operations.length]);
    },
  );

  it('fractions add up to one, masses add up, and formulas do not change with the number of formula units', () => {
    for (let round = 0; round < 60; round++) {
      const amounts = {
        Li: 1 + Math.floor(5 * random()),
        Fe: 1 + Math.floor(4 * random()),
        O: 1 + Math.floor(9 * random()),
      };
      const times = 2 + Math.floor(5 * random());
      const multiple = Object.fromEntries(
        Object.entries(amounts).map(([element, n]) => [element, times * n]),
      );
      const fractions = Object.values(atomicFractions(amounts));
      expect(fractions.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(molarMass(multiple)).toBeCloseTo(times * molarMass(amounts), 8);
      expect(atomCount(multiple)).toBe(times * atomCount(amounts));
      expect(reducedFormula(multiple)).toBe(reducedFormula(amounts));
      expect(anonymousFormula(multiple)).toBe(anonymousFormula(amounts));
      expect(formulaUnits(multiple)).toBe(times * formulaUnits(amounts));
    }
  });
});
