/**
 * Lithium niobate, R3c, point group 3m: measured stiffness and piezoelectric stress constants in the axes of the
 * conventional cell. Constants: A. W. Warner, M. Onoe, G. A. Coquin, J. Acoust. Soc. Am. 42 (1967) 1223. Positions: S.
 * C. Abrahams, J. M. Reddy, J. L. Bernstein, J. Phys. Chem. Solids 27 (1966) 997. The values are those quoted in
 * handbooks; the papers were not checked.
 */
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { catalogueCells, pointRotations } from '@unitcell/symmetry';
import { describe, expect, it } from 'vitest';
import { elasticModuli } from './elastic-moduli.ts';
import {
  ieeeOrientation,
  rotatePiezoelectric,
  rotateStiffness,
  symmetryDeviation,
  TENSOR_SYMMETRY_TOLERANCE,
} from './rotate-tensors.ts';

type Matrix = readonly (readonly number[])[];

/** GPa, at constant field: C11 203, C12 53, C13 75, C14 9, C33 245, C44 60. */
const STIFFNESS: Matrix = [
  [203, 53, 75, 9, 0, 0],
  [53, 203, 75, -9, 0, 0],
  [75, 75, 245, 0, 0, 0],
  [9, -9, 0, 60, 0, 0],
  [0, 0, 0, 0, 60, 9],
  [0, 0, 0, 0, 9, 75],
];

/** C/m²: e15 3.7, e22 2.5, e31 0.2, e33 1.3. */
const PIEZO: Matrix = [
  [0, 0, 0, 0, 3.7, -2.5],
  [-2.5, 2.5, 0, 3.7, 0, 0],
  [0.2, 0.2, 1.3, 0, 0, 0],
];

const CENTRINGS = [
  [0, 0, 0],
  [2 / 3, 1 / 3, 1 / 3],
  [1 / 3, 2 / 3, 2 / 3],
] as const;

function lithiumNiobate(): Structure {
  const [x, y, z] = [0.0492, 0.3446, 0.0647];
  const oxygen = [
    [x, y, z],
    [-y, x - y, z],
    [y - x, -x, z],
    [-y, -x, z + 0.5],
    [y - x, y, z + 0.5],
    [x, x - y, z + 0.5],
  ];
  const sites = [
    ...[0, 0.5].map((height) => ['Nb', 0, 0, height] as const),
    ...[0.2829, 0.7829].map((height) => ['Li', 0, 0, height] as const),
    ...oxygen.map(([u, v, w]) => ['O', u, v, w] as const),
  ];
  return {
    latticeVectors: latticeVectorsFromParameters({
      a: 5.1483,
      b: 5.1483,
      c: 13.8631,
      alpha: 90,
      beta: 90,
      gamma: 120,
    }),
    sites: CENTRINGS.flatMap(([s, t, v]) =>
      sites.map(([name, a, b, c]) => orderedSite(name, [a + s, b + t, c + v])),
    ),
  };
}

const turned = (structure: Structure, rotation: Mat3): Structure => ({
  latticeVectors: multiply3(structure.latticeVectors, transpose3(rotation)),
  sites: structure.sites,
});

const [COS, SIN] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
const AS_IT_IS: Mat3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** A rotation after which the mirrors are not normal to x, as in programs that put b along y. */
const BY_THIRTY_DEGREES: Mat3 = [
  [COS, -SIN, 0],
  [SIN, COS, 0],
  [0, 0, 1],
];
/** A permutation that puts the polar axis along x. */
const PERMUTED: Mat3 = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

/** The largest difference between two matrices. */
const miss = (found: Matrix, expected: Matrix): number =>
  Math.max(...found.flatMap((row, i) => row.map((value, j) => Math.abs(value - expected[i][j]))));

describe('lithium niobate, 3m', () => {
  it('is an R3c crystal whose constants are symmetric in the axes of its conventional cell', () => {
    const cells = catalogueCells(lithiumNiobate());
    const group = pointRotations(cells);
    expect(group).toHaveLength(6);
    const [a, , c] = cells.conventional.structure.latticeVectors;
    expect([a[0], c[2]].map((length) => Number(length.toFixed(4)))).toEqual([5.1483, 13.8631]);
    expect(symmetryDeviation(STIFFNESS, group)).toBeLessThan(1e-9);
    expect(symmetryDeviation(PIEZO, group)).toBeLessThan(1e-9);
  });

  it('has its mirrors normal to a, so that the standard puts x₁ along a', () => {
    const cells = catalogueCells(lithiumNiobate());
    const rows = cells.conventional.structure.latticeVectors;
    expect(miss(ieeeOrientation('trigonal', rows, pointRotations(cells)), AS_IT_IS)).toBeLessThan(1e-6);
  });

  it.each([
    ['as it is', AS_IT_IS],
    ['with b along y', BY_THIRTY_DEGREES],
    ['with its polar axis along x', PERMUTED],
  ])('%s: C14 and e22 come back in the axes of the conventional cell', (_name, frame) => {
    const cells = catalogueCells(turned(lithiumNiobate(), frame));
    expect(miss(rotateStiffness(rotateStiffness(STIFFNESS, frame), cells.rotation), STIFFNESS)).toBeLessThan(
      1e-6,
    );
    const piezo = rotatePiezoelectric(rotatePiezoelectric(PIEZO, frame), cells.rotation);
    const { sites } = cells.conventional.structure;
    const height = (element: string): number =>
      sites.find(({ species, fractionalCoords: [x, y] }) => {
        const onAxis = [x, y].every((value) => Math.abs(value - Math.round(value)) < 0.01);
        return species[0].element === element && onAxis;
      })!.fractionalCoords[2];
    // Lithium is 0.2829 c above niobium, or below it if the polar axis of the cell has the opposite direction.
    const above = (((height('Li') - height('Nb')) % 0.5) + 0.5) % 0.5;
    const sign = Math.abs(above - 0.2829) < 0.01 ? 1 : -1;
    expect(
      miss(
        piezo,
        PIEZO.map((row) => row.map((value) => sign * value)),
      ),
    ).toBeLessThan(1e-6);
  });

  it('symmetryDeviation detects constants that refer to axes rotated by 30°', () => {
    const group = pointRotations(catalogueCells(lithiumNiobate()));
    expect(symmetryDeviation(rotatePiezoelectric(PIEZO, BY_THIRTY_DEGREES), group)).toBeGreaterThan(
      TENSOR_SYMMETRY_TOLERANCE,
    );
    // C14 is only 9 of 245 GPa, so the deviation is not zero but below the warning tolerance.
    expect(symmetryDeviation(rotateStiffness(STIFFNESS, BY_THIRTY_DEGREES), group)).toBeGreaterThan(0.03);
  });

  it('has a bulk modulus between the bounds calculated by hand from its constants', () => {
    const [{ voigt, reuss }, upper] = [elasticModuli(STIFFNESS).bulk, (2 * (203 + 53) + 4 * 75 + 245) / 9];
    // Reuss bound of every uniaxial crystal: (C33 (C11 + C12) − 2 C13²) / (C11 + C12 + 2 C33 − 4 C13).
    const lower = (245 * (203 + 53) - 2 * 75 ** 2) / (203 + 53 + 2 * 245 - 4 * 75);
    expect(voigt).toBeCloseTo(upper, 9);
    expect(reuss).toBeCloseTo(lower, 9);
  });
});
