/** Changes of description that leave a crystal the same; the random source returns numbers in [0, 1). */
import type { Structure } from '@unitcell/crystal';
import {
  add3,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  rowTimesMatrix3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';

type Random = () => number;

export const shiftOrigin = ({ latticeVectors, sites }: Structure, shift: Vec3): Structure => ({
  latticeVectors,
  sites: sites.map((site) => ({ ...site, fractionalCoords: add3(site.fractionalCoords, shift) })),
});

export const rotate = ({ latticeVectors, sites }: Structure, rotation: Mat3): Structure => ({
  latticeVectors: multiply3(latticeVectors, rotation),
  sites,
});

export const strain = ({ latticeVectors, sites }: Structure, matrix: Mat3): Structure => ({
  latticeVectors: multiply3(latticeVectors, matrix),
  sites,
});

/** A rotation by a random unit quaternion (Shoemake). */
export function randomRotation(random: Random): Mat3 {
  const [p, q, r] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [w, x] = [Math.sqrt(1 - p) * Math.sin(q), Math.sqrt(1 - p) * Math.cos(q)];
  const [y, z] = [Math.sqrt(p) * Math.sin(r), Math.sqrt(p) * Math.cos(r)];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

export function permuteSites({ latticeVectors, sites }: Structure, random: Random): Structure {
  return {
    latticeVectors,
    sites: sites
      .map((site) => ({ site, at: random() }))
      .toSorted((p, q) => p.at - q.at)
      .map(({ site }) => site),
  };
}

/** The cell spanned by integer combinations of the rows; a supercell if |det| > 1. */
export function changeBasis({ latticeVectors, sites }: Structure, transform: Mat3): Structure {
  const inverse = inverse3(transform);
  const seen = new Map<string, (typeof sites)[number]>();
  // The box around the new cell, in units of the old vectors, contains each of its lattice points.
  const columns = transpose3(transform);
  const low = columns.map((column) => column.reduce((sum, value) => sum + Math.min(0, value), 0));
  const high = columns.map((column) => column.reduce((sum, value) => sum + Math.max(0, value), 0));
  sites.forEach((site, index) => {
    for (let i = low[0]; i <= high[0]; i++)
      for (let j = low[1]; j <= high[1]; j++)
        for (let k = low[2]; k <= high[2]; k++) {
          const moved = rowTimesMatrix3(add3(site.fractionalCoords, [i, j, k]), inverse);
          const [x, y, z] = moved.map((value) => value - Math.floor(value + 1e-9));
          const key = [index, ...[x, y, z].map((value) => Math.round(value * 1e6))].join();
          if (!seen.has(key)) seen.set(key, { ...site, fractionalCoords: [x, y, z] });
        }
  });
  return { latticeVectors: multiply3(transform, latticeVectors), sites: [...seen.values()] };
}

/** A random integer matrix with determinant 1, made of a few shears. */
export function randomUnimodular(random: Random): Mat3 {
  let matrix: Mat3 = IDENTITY3;
  for (let step = 0; step < 3; step++) {
    const i = Math.floor(random() * 3);
    const j = (i + 1 + Math.floor(random() * 2)) % 3;
    const shear = IDENTITY3.map((row, r): Vec3 => {
      const entry = [...row];
      if (r === i) entry[j] = random() < 0.5 ? 1 : -1;
      return [entry[0], entry[1], entry[2]];
    });
    matrix = multiply3([shear[0], shear[1], shear[2]], matrix);
  }
  return matrix;
}

/** The unit matrix plus a symmetric strain with components up to `size`. */
export function randomStrain(random: Random, size: number): Mat3 {
  const e = (): number => (2 * random() - 1) * size;
  const [xy, xz, yz] = [e() / 2, e() / 2, e() / 2];
  return [
    [1 + e(), xy, xz],
    [xy, 1 + e(), yz],
    [xz, yz, 1 + e()],
  ];
}
