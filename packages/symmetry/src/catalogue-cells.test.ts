import {
  cellVolume,
  latticeParameters,
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  orderedSite,
  readCif,
  type Structure,
  writeCif,
} from '@unitcell/crystal';
import {
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  seededRandom,
  transpose3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import {
  catalogueCells,
  FOLD_TOLERANCE,
  LOOSE_TOLERANCE,
  pointRotations,
  TIGHT_TOLERANCE,
} from './catalogue-cells.ts';
import { matchStructures } from './matching/match-structures.ts';
import { lithiumIronPhosphate, quartz, rockSalt, rutile, wurtzite } from './testing/fixtures.ts';
import { publishedCrystals, publishedStructure } from './testing/published-crystals.ts';
import { randomCrystal } from './testing/random-crystal.ts';
import {
  changeBasis,
  permuteSites,
  randomRotation,
  randomUnimodular,
  rotate,
  shiftOrigin,
  strain,
} from './testing/transform-structure.ts';

const parametersOf = ({ latticeVectors }: Structure): number[] => {
  const { a, b, c, alpha, beta, gamma } = latticeParameters(latticeVectors);
  return [a, b, c, alpha, beta, gamma];
};

const counted = (letters: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const letter of letters) counts[letter] = (counts[letter] ?? 0) + 1;
  return counts;
};

/** Describes a crystal with another cell, orientation, origin and order of sites. */
const describedAnew = (structure: Structure, random: () => number): Structure =>
  permuteSites(
    rotate(
      shiftOrigin(changeBasis(structure, randomUnimodular(random)), [random(), random(), random()]),
      randomRotation(random),
    ),
    random,
  );

const expectMatrix = (found: Mat3, expected: Mat3, digits: number): void => {
  const misses = found.flat().map((value, at) => Math.abs(value - expected.flat()[at]));
  expect(Math.max(...misses)).toBeLessThan(10 ** -digits);
};

/** Expects all entries to be integers, up to noise. */
const expectWhole = (matrix: Mat3, digits: number): void =>
  expectMatrix(matrix, matrix.map((row) => row.map(Math.round)) as unknown as Mat3, digits);

const IDENTITY: Mat3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Every fifth of the 230 groups, at most three crystals of each. */
const randomCrystals = (every: number, each: number, seed: number): Structure[] => {
  const random = seededRandom(seed);
  return Array.from({ length: Math.floor(230 / every) }, (_unused, index) => 1 + index * every).flatMap(
    (group) => Array.from({ length: each }, () => randomCrystal(group, random) ?? []).flat(),
  );
};

describe('the conventional cell', () => {
  it.each(publishedCrystals)('$name has the published cell, setting and letters', (crystal) => {
    const random = seededRandom(53);
    const printed = publishedStructure(crystal);
    for (const structure of [printed, describedAnew(printed, random), describedAnew(printed, random)]) {
      const { conventional, idealised } = catalogueCells(structure);
      expect(idealised.spaceGroup.symbol).toBe(crystal.symbol);
      expect(idealised.spaceGroup.hallSymbol).toBe(crystal.hallSymbol);
      const { reduced, cell } = crystal;
      parametersOf(conventional.structure).forEach((value, index) =>
        expect(value).toBeCloseTo((reduced ?? cell)[index], reduced ? 3 : 6),
      );
      expect(conventional.structure.sites).toHaveLength(printed.sites.length);
      expect(matchStructures(conventional.structure, printed, { scale: false })?.rms).toBeLessThan(1e-3);
    }
  });

  it('has the tabulated letters if no shift of the origin exchanges them', () => {
    const letters = (structure: Structure): Record<string, number> =>
      counted(catalogueCells(structure).conventional.wyckoffs);
    expect(letters(publishedStructure(publishedCrystals[0]))).toEqual({ i: 20 });
    expect(letters(publishedStructure(publishedCrystals[1]))).toEqual({ e: 12 });
    expect(letters(wurtzite)).toEqual({ b: 4 });
    expect(letters(rutile)).toEqual({ a: 2, f: 4 });
    expect(letters(lithiumIronPhosphate)).toEqual({ a: 4, c: 16, d: 8 });
  });

  it('obeys each operation of its Hall symbol, has an exact metric, and is unchanged by a second run', () => {
    for (const crystal of randomCrystals(5, 1, 61)) {
      const cells = catalogueCells(crystal);
      const { structure, operations, wyckoffs } = cells.conventional;
      expect(operations).toEqual(operationsFromHallSymbol(cells.idealised.spaceGroup.hallSymbol));
      expect(wyckoffs.every((letter) => /^[a-zA-Z]$/.test(letter))).toBe(true);
      for (const { rotation } of operations) {
        const metric = multiply3(structure.latticeVectors, transpose3(structure.latticeVectors));
        const image = multiply3(multiply3(transpose3(rotation), metric), rotation);
        expectMatrix(image, metric, 9);
      }
      const again = catalogueCells(structure);
      expect(again.idealised.spaceGroup).toEqual(cells.idealised.spaceGroup);
      parametersOf(again.conventional.structure).forEach((value, index) =>
        expect(value).toBeCloseTo(parametersOf(structure)[index], 7),
      );
      expect(again.displacement).toBeLessThan(1e-6);
    }
  });

  it('does not depend on the choice of cell, orientation, origin and order of sites of the input', () => {
    const random = seededRandom(67);
    for (const crystal of randomCrystals(11, 1, 71)) {
      const plain = catalogueCells(crystal);
      const other = catalogueCells(describedAnew(crystal, random));
      expect(other.idealised.spaceGroup).toEqual(plain.idealised.spaceGroup);
      parametersOf(other.conventional.structure).forEach((value, index) =>
        expect(value).toBeCloseTo(parametersOf(plain.conventional.structure)[index], 5),
      );
    }
  });

  it('keeps the order of axes if the setting fixes it, and otherwise sorts the axes by length', () => {
    expect(parametersOf(catalogueCells(lithiumIronPhosphate).conventional.structure).slice(0, 3)).toEqual(
      [10.3298, 6.0079, 4.6921].map((value) => expect.closeTo(value, 6) as number),
    );
    const random = seededRandom(73);
    const free = randomCrystal(47, random)!;
    const { conventional, idealised } = catalogueCells(free);
    expect(idealised.spaceGroup.symbol).toBe('Pmmm');
    const [a, b, c] = parametersOf(conventional.structure);
    expect([a, b, c]).toEqual([a, b, c].toSorted((p, q) => p - q));
  });
});

describe('the primitive cell', () => {
  it('is derived from the conventional cell: same frame, same crystal, smallest volume', () => {
    for (const crystal of randomCrystals(7, 1, 79)) {
      const { primitive, conventional } = catalogueCells(crystal);
      const share = cellVolume(conventional.structure.latticeVectors) / cellVolume(primitive.latticeVectors);
      expect(share).toBeCloseTo(Math.round(share), 9);
      expect(primitive.sites).toHaveLength(conventional.structure.sites.length / Math.round(share));
      const whole = multiply3(conventional.structure.latticeVectors, inverse3(primitive.latticeVectors));
      expectWhole(whole, 9);
      expect(analyzeSymmetry(primitive).primitiveCell.sites).toHaveLength(primitive.sites.length);
    }
  });
});

describe('the given cell', () => {
  it('returns a primitive cell unchanged', () => {
    const turned = rotate(rutile, randomRotation(seededRandom(3)));
    expect(catalogueCells(turned).given).toEqual({ structure: turned, fold: 1, largestMismatch: 0 });
  });

  it('folds a supercell in its own frame: every remaining atom keeps its position', () => {
    const random = seededRandom(83);
    for (const crystal of [rockSalt, wurtzite, lithiumIronPhosphate]) {
      const whole = rotate(shiftOrigin(crystal, [random(), random(), random()]), randomRotation(random));
      const large = changeBasis(whole, [
        [2, 0, 0],
        [0, 1, 1],
        [0, 0, 1],
      ]);
      const { structure, fold, largestMismatch } = catalogueCells(large).given;
      expect(fold).toBe(large.sites.length / structure.sites.length);
      expect(cellVolume(structure.latticeVectors) * fold).toBeCloseTo(cellVolume(large.latticeVectors), 8);
      expect(largestMismatch).toBeLessThan(1e-9);
      for (const { species, fractionalCoords } of large.sites) {
        const cartesian = rowTimesMatrix3(fractionalCoords, large.latticeVectors);
        const inSmall = rowTimesMatrix3(cartesian, inverse3(structure.latticeVectors));
        const misses = structure.sites
          .filter((site) => site.species[0].element === species[0].element)
          .map((site) => {
            const [x, y, z] = inSmall.map((value, axis) => value - site.fractionalCoords[axis]);
            return Math.abs(x - Math.round(x)) + Math.abs(y - Math.round(y)) + Math.abs(z - Math.round(z));
          });
        expect(Math.min(...misses)).toBeLessThan(1e-9);
      }
    }
  });

  it('does not fold copies beyond the tolerance, and reports the largest difference of folded copies', () => {
    const doubled = changeBasis(rutile, [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 2],
    ]);
    const moved = (shift: number): Structure => ({
      ...doubled,
      sites: doubled.sites.map((site, index) =>
        index === 0
          ? {
              ...site,
              fractionalCoords: [
                site.fractionalCoords[0] + shift / 4.594,
                site.fractionalCoords[1],
                site.fractionalCoords[2],
              ],
            }
          : site,
      ),
    });
    expect(catalogueCells(moved(5 * FOLD_TOLERANCE)).given.fold).toBe(1);
    const slightly = catalogueCells(moved(FOLD_TOLERANCE / 2)).given;
    expect(slightly.fold).toBe(2);
    expect(slightly.largestMismatch).toBeCloseTo(FOLD_TOLERANCE / 2, 6);
  });
});

describe('the rotation between the frames', () => {
  it('maps the axes of the given frame onto those of the conventional cell, for any orientation', () => {
    const random = seededRandom(89);
    for (const crystal of randomCrystals(9, 1, 97)) {
      const plain = catalogueCells(crystal);
      const turn = randomRotation(random);
      const turned = catalogueCells(rotate(crystal, turn));
      for (const { rotation, strain: left } of [plain, turned]) {
        expectMatrix(multiply3(rotation, transpose3(rotation)), IDENTITY, 12);
        expect(determinant3(rotation)).toBeCloseTo(1, 12);
        expect(left).toBeLessThan(1e-6);
      }
      // Rotated by R, the lattice of the given cell is that of the idealised primitive cell: the relation is an integer
      // matrix.
      const { latticeVectors } = turned.given.structure;
      const inFrame = multiply3(latticeVectors, transpose3(turned.rotation));
      expectWhole(multiply3(inFrame, inverse3(turned.primitive.latticeVectors)), 6);
      // The rotation from the search and the rotation computed here lead to the same cell up to an operation of
      // the crystal.
      const back = multiply3(turned.rotation, multiply3(transpose3(turn), transpose3(plain.rotation)));
      const whole = multiply3(
        multiply3(plain.primitive.latticeVectors, transpose3(back)),
        inverse3(plain.primitive.latticeVectors),
      );
      expectWhole(whole, 5);
    }
  });

  it('a left-handed set of axes describes the same crystal, not its mirror image', () => {
    const reversed: Structure = {
      latticeVectors: [
        scale3(quartz.latticeVectors[0], -1),
        scale3(quartz.latticeVectors[1], -1),
        scale3(quartz.latticeVectors[2], -1),
      ],
      sites: quartz.sites.map((site) => ({ ...site, fractionalCoords: scale3(site.fractionalCoords, -1) })),
    };
    expect(catalogueCells(quartz).idealised.spaceGroup.symbol).toBe('P3_221');
    expect(catalogueCells(reversed).idealised.spaceGroup.symbol).toBe('P3_221');
    expect(determinant3(catalogueCells(reversed).rotation)).toBeCloseTo(1, 12);
  });

  it('reports the strain removed by idealising', () => {
    const stretched = strain(rockSalt, [
      [1.004, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    const cells = catalogueCells(stretched);
    expect(cells.idealised.spaceGroup.symbol).toBe('Fm-3m');
    expect(cells.strain).toBeCloseTo((2 * 0.004) / 3, 4);
    expectMatrix(multiply3(cells.rotation, transpose3(cells.rotation)), IDENTITY, 12);
    const [a, b, c] = cells.conventional.structure.latticeVectors.map(norm3);
    expect(a).toBe(b);
    expect(b).toBe(c);
  });

  it('point group operations are orthogonal, form a group, and map the idealised lattice onto itself', () => {
    for (const crystal of [quartz, wurtzite, lithiumIronPhosphate]) {
      const cells = catalogueCells(crystal);
      const [group, { primitive }] = [pointRotations(cells), cells];
      const keys = new Set(
        group.map((turn) =>
          turn
            .flat()
            .map((v) => Math.round(v * 1e6) + 0)
            .join(),
        ),
      );
      expect(keys.size).toBe(group.length);
      for (const turn of group) {
        expectMatrix(multiply3(turn, transpose3(turn)), IDENTITY, 9);
        const product = multiply3(turn, group[1]);
        expect(keys).toContain(
          product
            .flat()
            .map((v) => Math.round(v * 1e6) + 0)
            .join(),
        );
        const image = multiply3(primitive.latticeVectors, transpose3(turn));
        expectWhole(multiply3(image, inverse3(primitive.latticeVectors)), 8);
      }
    }
  });
});

describe('symmetry at two tolerances', () => {
  /** BaTiO3 at room temperature, with titanium displaced along c by `shift` Å; cubic if it is 0. */
  const titanate = (shift: number): Structure => ({
    latticeVectors: latticeVectorsFromParameters({ a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }),
    sites: [
      orderedSite('Ba', [0, 0, 0]),
      orderedSite('Ti', [0.5, 0.5, 0.5 + shift / 4]),
      orderedSite('O', [0.5, 0.5, 0]),
      orderedSite('O', [0.5, 0, 0.5]),
      orderedSite('O', [0, 0.5, 0.5]),
    ],
  });

  it('only the tight tolerance resolves an intermediate distortion; the cells follow the chosen tolerance', () => {
    const { symmetry, idealised, displacement } = catalogueCells(titanate(0.05));
    expect(symmetry.tight.spaceGroup.symbol).toBe('P4mm');
    expect(symmetry.loose.spaceGroup.symbol).toBe('Pm-3m');
    expect(idealised).toBe(symmetry.loose);
    expect(displacement).toBeGreaterThan(0.02);
    const tight = catalogueCells(titanate(0.05), { idealisedAt: 'tight' });
    expect(tight.idealised.spaceGroup.symbol).toBe('P4mm');
    expect(tight.displacement).toBeLessThan(1e-6);
    expect(tight.given).toEqual(catalogueCells(titanate(0.05)).given);
  });

  it('reports the requested and the used tolerances', () => {
    const { symmetry } = catalogueCells(titanate(0));
    expect(symmetry.tight).toMatchObject({ tolerance: TIGHT_TOLERANCE, symprec: TIGHT_TOLERANCE });
    expect(symmetry.loose).toMatchObject({ tolerance: LOOSE_TOLERANCE, symprec: LOOSE_TOLERANCE });
  });

  it('skipping the tight search changes nothing if the loose operations hold at the tight tolerance', () => {
    for (const crystal of randomCrystals(13, 1, 101))
      expect(catalogueCells(crystal).symmetry.tight.spaceGroup).toEqual(
        analyzeSymmetry(catalogueCells(crystal).given.structure, { symprec: TIGHT_TOLERANCE }).spaceGroup,
      );
  });
});

describe('CIF of the conventional cell', () => {
  it('random crystals are read back as the same crystal with the same space group', () => {
    const every = process.env.NIGHTLY ? 1 : 3;
    const crystals = randomCrystals(2, 3, 103)
      .slice(0, 300)
      .filter((_, i) => i % every === 0);
    expect(crystals.length).toBe(300 / every);
    for (const crystal of crystals) {
      const { conventional, idealised } = catalogueCells(crystal);
      const { hallSymbol } = idealised.spaceGroup;
      const text = writeCif(conventional.structure, {
        setting: { hallSymbol, wyckoffs: conventional.wyckoffs },
      });
      const [read] = readCif(text).structures;
      expect(read.notices).toEqual([]);
      expect(read.structure.sites).toHaveLength(conventional.structure.sites.length);
      expect(analyzeSymmetry(read.structure).spaceGroup).toEqual(idealised.spaceGroup);
      expect(matchStructures(read.structure, conventional.structure, { scale: false })?.rms).toBeLessThan(
        1e-6,
      );
    }
  });
});
