import { applySymmetryOperation, operationsFromHallSymbol, SPACE_GROUP_SETTINGS } from '@unitcell/crystal';
import { determinant3, type Mat3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { moyoHallSymbol, moyoWyckoffPositions } from './moyo.ts';
import { polarRotation } from './polar-rotation.ts';
import { toTabulatedSetting } from './tabulated-setting.ts';
import { defaultHallNumber, randomCrystal, valueOf } from './testing/random-crystal.ts';
import { randomRotation, randomStrain } from './testing/transform-structure.ts';
import { wyckoffLetter } from './conventional-cell.ts';

/** The orbit of a position in the conventional cell, without duplicates. */
function orbitOf(position: Vec3, hallSymbol: string): Vec3[] {
  const orbit: Vec3[] = [];
  for (const operation of operationsFromHallSymbol(hallSymbol)) {
    const image = applySymmetryOperation(operation, position);
    const isNew = orbit.every((other) =>
      image.some((value, axis) => {
        const miss = value - other[axis];
        return Math.abs(miss - Math.round(miss)) > 1e-6;
      }),
    );
    if (isNew) orbit.push(image);
  }
  return orbit;
}

describe('wyckoffLetter', () => {
  it('finds the letter of every tabulated position of all 230 groups, from any site of the orbit', () => {
    const random = seededRandom(43);
    for (let group = 1; group <= 230; group++) {
      const hallNumber = defaultHallNumber(group);
      const { hallSymbol } = SPACE_GROUP_SETTINGS[hallNumber - 1];
      for (const { letter, multiplicity, coordinates } of moyoWyckoffPositions(hallNumber)) {
        if (multiplicity > 24) continue;
        const free: Vec3 = [0.137 + 0.05 * random(), 0.291 + 0.03 * random(), 0.413 + 0.04 * random()];
        const [x, y, z] = coordinates.split(',').map((text) => valueOf(text, free));
        const orbit = orbitOf([x, y, z], hallSymbol);
        expect(orbit).toHaveLength(multiplicity);
        expect(wyckoffLetter(hallNumber, orbit.toReversed())).toBe(letter);
      }
    }
  });

  it('refuses sites that match no position', () => {
    expect(() => wyckoffLetter(defaultHallNumber(225), [[0.1, 0.2, 0.3]])).toThrow(/no Wyckoff position/);
  });
});

describe('toTabulatedSetting', () => {
  it('the tables of the package and of the engine have the same settings', () => {
    for (const { hallNumber, hallSymbol } of SPACE_GROUP_SETTINGS)
      expect(moyoHallSymbol(hallNumber).hall_symbol.replaceAll('=', '"')).toBe(hallSymbol);
  });

  it('changes axes by an integer matrix with determinant 1, and only if the group allows a choice', () => {
    const random = seededRandom(47);
    for (let group = 1; group <= 230; group += 3) {
      const crystal = randomCrystal(group, random);
      if (!crystal) continue;
      const dataset = analyzeSymmetry(crystal);
      const { transform, shift } = toTabulatedSetting(dataset);
      expect(determinant3(transform)).toBe(1);
      expect(transform.flat().every(Number.isInteger)).toBe(true);
      expect(shift.every((value) => Number.isInteger(8 * value))).toBe(true);
      const isFixed = !['monoclinic', 'orthorhombic'].includes(dataset.latticeType);
      const isUnchanged = transform.flat().join() === '1,0,0,0,1,0,0,0,1' && shift.join() === '0,0,0';
      expect(isUnchanged || !isFixed).toBe(true);
    }
  });

  it('never changes the axes of Pnma, Pca2_1 and Pmc2_1, which are all inequivalent', () => {
    const random = seededRandom(59);
    for (const group of [26, 29, 62])
      for (let run = 0; run < 4; run++) {
        const dataset = analyzeSymmetry(randomCrystal(group, random)!);
        if (dataset.spaceGroup.number !== group) continue;
        expect(toTabulatedSetting(dataset).transform.flat()).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
      }
  });
});

describe('polarRotation', () => {
  const product = (p: Mat3, q: Mat3): Mat3 => {
    const entry = (i: 0 | 1 | 2, j: 0 | 1 | 2): number =>
      p[i][0] * q[0][j] + p[i][1] * q[1][j] + p[i][2] * q[2][j];
    const row = (i: 0 | 1 | 2): Vec3 => [entry(i, 0), entry(i, 1), entry(i, 2)];
    return [row(0), row(1), row(2)];
  };

  it('finds the rotation under a strain, exactly orthogonal', () => {
    const random = seededRandom(61);
    for (let run = 0; run < 30; run++) {
      const turn = randomRotation(random);
      const { rotation, strain } = polarRotation(product(turn, randomStrain(random, 0.05)));
      rotation.flat().forEach((value, at) => expect(value).toBeCloseTo(turn.flat()[at], 12));
      expect(strain).toBeLessThan(0.1);
      const [a, b, c] = rotation;
      const transposed: Mat3 = [
        [a[0], b[0], c[0]],
        [a[1], b[1], c[1]],
        [a[2], b[2], c[2]],
      ];
      product(rotation, transposed)
        .flat()
        .forEach((value, at) => expect(value).toBeCloseTo(at % 4 === 0 ? 1 : 0, 14));
    }
  });

  it('leaves a rotation unchanged, without strain', () => {
    const turn = randomRotation(seededRandom(67));
    const { rotation, strain } = polarRotation(turn);
    expect(strain).toBeLessThan(1e-14);
    rotation.flat().forEach((value, at) => expect(value).toBeCloseTo(turn.flat()[at], 14));
  });
});
