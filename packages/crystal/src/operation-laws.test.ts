/** Laws of symmetry operations as text, of compositions with fractions, and of supercells, on seeded random input. */
import { determinant3, multiply3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { compositionOf, density, formulaUnits, MAX_DENOMINATOR, reducedComposition } from './composition.ts';
import { operationsFromHallSymbol } from './hall-symbol.ts';
import { neighbourList } from './neighbours.ts';
import { fromPymatgenDict, toPymatgenDict } from './pymatgen-dict.ts';
import { type Structure, supercell } from './structure.ts';
import {
  applySymmetryOperation,
  formatSymmetryOperation,
  parseSymmetryOperation,
  type SymmetryOperation,
  wrapFraction,
} from './symmetry-operation.ts';

const random = seededRandom(2019);
const between = (low: number, high: number) => low + Math.floor((high - low + 1) * random());
const point = (): Vec3 => [random(), random(), random()];
const GROUPS = [
  '-P 2ybc',
  'P 31 2"',
  '-F 4vw 2vw 3',
  '-R 3 2"c',
  '-P 6c 2c',
  'P 41 21 (1/2 1/2 3/8)',
].flatMap((symbol) => {
  try {
    return [operationsFromHallSymbol(symbol)];
  } catch {
    return [];
  }
});

/** Distance of two positions modulo whole cells. */
const apart = (x: Vec3, y: Vec3): number =>
  Math.max(...x.map((value, i) => Math.abs(value - y[i] - Math.round(value - y[i]))));

describe('symmetry operations', () => {
  it('are unchanged after writing and parsing, for whole groups and for random blanks, case and signs', () => {
    expect(GROUPS.length).toBeGreaterThan(3);
    for (const { rotation, translation } of GROUPS.flat()) {
      // Removes −0, which text does not distinguish from 0.
      const positive = (row: Vec3): Vec3 => [row[0] + 0, row[1] + 0, row[2] + 0];
      const [a, b, c] = rotation;
      const operation: SymmetryOperation = {
        rotation: [positive(a), positive(b), positive(c)],
        translation,
      };
      const text = formatSymmetryOperation(operation);
      expect(parseSymmetryOperation(text)).toEqual(operation);
      const spaced = text.replaceAll(
        /[,+-]/g,
        (mark) => `${' '.repeat(between(0, 2))}${mark}${' '.repeat(between(0, 2))}`,
      );
      expect(parseSymmetryOperation(random() < 0.5 ? spaced.toUpperCase() : spaced)).toEqual(operation);
    }
  });

  it('translations with three decimals, or longer than a cell, are parsed as exact fractions', () => {
    for (let numerator = -48; numerator <= 48; numerator++) {
      const exact = wrapFraction(numerator / 24);
      const [, , shift] = parseSymmetryOperation(`x,y,z+${((numerator + 48) / 24).toFixed(3)}`).translation;
      expect(shift).toBeCloseTo(exact, 12);
    }
  });

  it('two operations in succession equal their product, which is in the group', () => {
    for (const group of GROUPS) {
      const known = new Set(group.map(formatSymmetryOperation));
      for (let round = 0; round < 60; round++) {
        const [first, second] = [group[between(0, group.length - 1)], group[between(0, group.length - 1)]];
        const product: SymmetryOperation = {
          rotation: multiply3(second.rotation, first.rotation),
          translation: applySymmetryOperation(second, first.translation).map(wrapFraction) as unknown as Vec3,
        };
        expect(Math.abs(determinant3(product.rotation))).toBe(1);
        expect(known).toContain(formatSymmetryOperation(product));
        const x = point();
        const oneByOne = applySymmetryOperation(second, applySymmetryOperation(first, x));
        expect(apart(applySymmetryOperation(product, x), oneByOne)).toBeLessThan(1e-9);
      }
    }
  });
});

const structureOf = (sites: number): Structure => ({
  latticeVectors: [
    [3 + random(), random(), 0],
    [0, 3 + random(), random()],
    [random(), 0, 3 + random()],
  ],
  sites: Array.from({ length: sites }, () => ({
    species:
      random() < 0.5
        ? [{ element: 'Fe', occupancy: 1 }]
        : [
            { element: 'Li', occupancy: 1 / 3 },
            { element: 'Mg', occupancy: 2 / 3 },
          ],
    fractionalCoords: point(),
  })),
});

describe('compositions with fractions', () => {
  it('a whole formula divided by a number up to 24 is restored', () => {
    for (let divisor = 1; divisor <= MAX_DENOMINATOR; divisor++)
      for (let round = 0; round < 10; round++) {
        const whole = { Li: 1, Co: between(1, 9), O: between(1, 9) };
        const divided = Object.fromEntries(
          Object.entries(whole).map(([element, amount]) => [element, amount / divisor]),
        );
        expect(reducedComposition(divided)).toEqual(whole);
        expect(formulaUnits(divided)).toBeCloseTo(1 / divisor, 12);
      }
  });

  it('amount = units × reduced amount, whatever the amounts', () => {
    for (let round = 0; round < 200; round++) {
      const composition = { Fe: between(1, 40) / between(1, 24), O: between(1, 9), S: 0.05 + random() };
      const units = formulaUnits(composition);
      const reduced = reducedComposition(composition);
      for (const [element, amount] of Object.entries(composition))
        expect(Math.abs(units * reduced[element] - amount)).toBeLessThan(2e-3);
    }
  });

  it('thirds that fill a site add up to whole atoms', () => {
    for (let round = 0; round < 20; round++) {
      const structure = structureOf(3);
      const mixed = structure.sites.filter(({ species }) => species.length === 2).length;
      const found = compositionOf(structure);
      expect(found.Mg ?? 0).toBeCloseTo((2 * mixed) / 3, 12);
      expect(mixed === 3 ? found : { Li: 1, Mg: 2 }).toEqual({ Li: 1, Mg: 2 });
    }
  });
});

const neighboursOf = (structure: Structure): number =>
  neighbourList(structure, 4).reduce((sum, own) => sum + own.length, 0);

describe('supercells', () => {
  it('contain every atom once per repeat of the cell, with the same density and surroundings', () => {
    for (let round = 0; round < 15; round++) {
      const structure = structureOf(between(1, 4));
      const repeats = [between(1, 3), between(1, 3), between(1, 2)] as const;
      const large = supercell(structure, repeats);
      const times = repeats[0] * repeats[1] * repeats[2];
      expect(large.sites).toHaveLength(times * structure.sites.length);
      expect(density(large)).toBeCloseTo(density(structure), 9);
      for (const [element, amount] of Object.entries(compositionOf(structure)))
        expect(compositionOf(large)[element]).toBeCloseTo(times * amount, 9);
      expect(neighboursOf(large)).toBe(times * neighboursOf(structure));
    }
  });

  it('are unchanged to the last digit in JSON', () => {
    for (let round = 0; round < 30; round++) {
      const structure = structureOf(between(1, 5));
      expect(fromPymatgenDict(JSON.parse(JSON.stringify(toPymatgenDict(structure))))).toEqual(structure);
    }
  });
});
