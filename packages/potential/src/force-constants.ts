/** Force constants by finite displacements in a supercell, as few displacements as the symmetry allows. */
import { supercell, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import {
  add3,
  dot3,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import type { Engine } from './engine.ts';
import { PotentialError } from './potential-error.ts';
import { type SiteOperation, siteOperations, turned } from './site-symmetry.ts';

export type Repeats = readonly [number, number, number];

export interface ForceConstants {
  readonly structure: Structure;
  readonly repeats: Repeats;
  /**
   * eV/Å²: minus the derivative of force component b of atom j in cell c by component a of atom i in the first cell, at
   * ((i · cells + c) · atoms + j) · 9 + 3 a + b. Cells count the third axis fastest.
   */
  readonly values: Float64Array;
}

/** Å; heights of the supercell to strive for: forces are small beyond. */
const HEIGHT = 10;
/** Heights within this ratio are equal. */
const EQUAL_HEIGHT = 1.001;
/** Å */
const DISPLACEMENT = 0.01;
/** Share of a direction that must be new for another displacement to count. */
const INDEPENDENT = 0.2;

/** Distances of opposite faces of a cell, Å. */
const heights = (lattice: Mat3): Vec3 => {
  const [a, b, c] = transpose3(inverse3(lattice));
  return [1 / norm3(a), 1 / norm3(b), 1 / norm3(c)];
};

/**
 * The smallest supercell 10 Å high along each axis, smaller where it would have more than so many atoms.
 * @throws PotentialError `too-large` when the crystal itself has more
 */
export function phononSupercell({ latticeVectors, sites }: Structure, maxAtoms: number): Repeats {
  if (sites.length > maxAtoms)
    throw new PotentialError(
      'too-large',
      `${sites.length} atoms in the primitive cell: phonons are calculated for at most ${maxAtoms}`,
      { atoms: sites.length, limit: maxAtoms },
    );
  const height = heights(latticeVectors);
  let repeats: Repeats = [1, 1, 1];
  for (;;) {
    const [x, y, z] = repeats;
    const reached: Vec3 = [x * height[0], y * height[1], z * height[2]];
    const lowest = Math.min(...reached);
    if (lowest >= HEIGHT) return repeats;
    // Axes of equal height grow together: an uneven supercell would break their symmetry.
    const larger = repeats.map((count, axis) => count + (reached[axis] < lowest * EQUAL_HEIGHT ? 1 : 0));
    const next = larger as unknown as Repeats;
    if (sites.length * next[0] * next[1] * next[2] > maxAtoms) return repeats;
    repeats = next;
  }
}

/** Index of the cell at a lattice translation, wrapped into the supercell. */
function cellAt(repeats: Repeats, cell: Vec3): number {
  const [x, y, z] = cell.map((value, axis) => {
    const count = repeats[axis];
    return ((value % count) + count) % count;
  });
  return (x * repeats[1] + y) * repeats[2] + z;
}

/** Lattice translations of the cells of a supercell in order. */
export function cellsOf(repeats: Repeats): Vec3[] {
  const cells: Vec3[] = [];
  for (let x = 0; x < repeats[0]; x++)
    for (let y = 0; y < repeats[1]; y++) for (let z = 0; z < repeats[2]; z++) cells.push([x, y, z]);
  return cells;
}

/** Whether an operation maps the lattice of the supercell onto itself. */
const keepsSupercell = ({ rotation }: SiteOperation, repeats: Repeats): boolean =>
  rotation.every((row, i) => row.every((value, j) => Number.isInteger((value * repeats[j]) / repeats[i])));

/** Unit directions to displace a site in: their images under the operations that leave it in place span space, both signs included. */
function directionsFor(site: number, operations: readonly SiteOperation[]): Vec3[] {
  const keeping = operations.filter(({ images }) => images[site] === site);
  const chosen: Vec3[] = [];
  const images: Vec3[] = [];
  const addImages = (direction: Vec3): void => {
    chosen.push(direction);
    images.push(...keeping.map((operation) => turned(operation, direction)));
  };
  for (const direction of IDENTITY3) {
    if (distanceFromSpan(direction, images) < INDEPENDENT) continue;
    addImages(direction);
    const opposite = scale3(direction, -1);
    if (!images.some((image) => norm3(subtract3(image, opposite)) < INDEPENDENT)) addImages(opposite);
  }
  return chosen;
}

/** How much of a unit vector lies outside the span of others. */
function distanceFromSpan(vector: Vec3, others: readonly Vec3[]): number {
  const basis: Vec3[] = [];
  const outside = (v: Vec3): Vec3 =>
    basis.reduce((rest, axis) => subtract3(rest, scale3(axis, dot3(rest, axis))), v);
  for (const other of others) {
    const rest = outside(other);
    const length = norm3(rest);
    if (length > INDEPENDENT) basis.push(scale3(rest, 1 / length));
  }
  return norm3(outside(vector));
}

/** The structure under a supercell with one atom of the first cell moved by a Cartesian vector, Å. */
function displaced(large: Structure, site: number, by: Vec3): Structure {
  const change = rowTimesMatrix3(by, inverse3(large.latticeVectors));
  return {
    ...large,
    sites: large.sites.map((entry, index) =>
      index === site ? { ...entry, fractionalCoords: add3(entry.fractionalCoords, change) } : entry,
    ),
  };
}

/** Φ of a pair read backwards: of atom j in the first cell and atom i in the opposite cell. */
function symmetrise(values: Float64Array, atoms: number, repeats: Repeats): void {
  const cells = cellsOf(repeats);
  const at = (i: number, cell: number, j: number): number => ((i * cells.length + cell) * atoms + j) * 9;
  for (let i = 0; i < atoms; i++)
    cells.forEach((cell, c) => {
      const back = cellAt(repeats, scale3(cell, -1));
      for (let j = 0; j < atoms; j++) {
        const [here, there] = [at(i, c, j), at(j, back, i)];
        if (here > there) continue;
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) {
            const mean = (values[here + 3 * a + b] + values[there + 3 * b + a]) / 2;
            values[here + 3 * a + b] = mean;
            values[there + 3 * b + a] = mean;
          }
      }
    });
  // Acoustic sum rule: a shift of the whole crystal causes no force.
  for (let i = 0; i < atoms; i++) {
    const sum = new Float64Array(9);
    for (let c = 0; c < cells.length; c++)
      for (let j = 0; j < atoms; j++) for (let k = 0; k < 9; k++) sum[k] += values[at(i, c, j) + k];
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) values[at(i, 0, i) + 3 * a + b] -= (sum[3 * a + b] + sum[3 * b + a]) / 2;
  }
}

/**
 * Force constants of a relaxed crystal. Forces of each displacement are also used turned by every operation, which completes the
 * displacements of a site and gives the sites that the operations map it onto.
 * @param repeats supercell, for instance `phononSupercell(structure, 100)`
 * @param operations of the structure; without them every atom is displaced six times
 * @throws PotentialError what the engine throws; `symmetry`
 */
export function forceConstants(
  engine: Engine,
  structure: Structure,
  repeats: Repeats,
  operations: readonly SymmetryOperation[] = [],
): ForceConstants {
  const identity: SymmetryOperation = { rotation: IDENTITY3, translation: [0, 0, 0] };
  const all = siteOperations(structure, operations.length > 0 ? operations : [identity]).filter((operation) =>
    keepsSupercell(operation, repeats),
  );
  const atoms = structure.sites.length;
  const cells = cellsOf(repeats);
  const large = supercell(structure, repeats);
  const rest = engine.evaluate(large).forces;
  const values = new Float64Array(atoms * cells.length * atoms * 9);
  const squares = structure.sites.map(() => new Float64Array(9));

  const isDone = new Uint8Array(atoms);
  for (let site = 0; site < atoms; site++) {
    if (isDone[site]) continue;
    for (const direction of directionsFor(site, all)) {
      const { forces } = engine.evaluate(displaced(large, site, scale3(direction, DISPLACEMENT)));
      for (const operation of all) {
        const image = operation.images[site];
        isDone[image] = 1;
        const by = scale3(turned(operation, direction), DISPLACEMENT);
        for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) squares[image][3 * a + b] += by[a] * by[b];
        cells.forEach((cell, c) => {
          const rotated = rowTimesMatrix3(cell, transpose3(operation.rotation));
          for (let j = 0; j < atoms; j++) {
            const source = 3 * (c * atoms + j);
            const force = turned(operation, [
              forces[source] - rest[source],
              forces[source + 1] - rest[source + 1],
              forces[source + 2] - rest[source + 2],
            ]);
            const shift = subtract3(operation.shifts[j], operation.shifts[site]);
            const target = cellAt(repeats, add3(rotated, shift));
            const at = ((image * cells.length + target) * atoms + operation.images[j]) * 9;
            for (let a = 0; a < 3; a++)
              for (let b = 0; b < 3; b++) values[at + 3 * a + b] -= by[a] * force[b];
          }
        });
      }
    }
  }
  // Least squares: (Σ u ⊗ u)⁻¹ · Σ u ⊗ F.
  for (let i = 0; i < atoms; i++) {
    const s = squares[i];
    const inverse = inverse3([
      [s[0], s[1], s[2]],
      [s[3], s[4], s[5]],
      [s[6], s[7], s[8]],
    ]);
    for (let at = i * cells.length * atoms * 9; at < (i + 1) * cells.length * atoms * 9; at += 9) {
      const row = (a: number): Vec3 => [values[at + 3 * a], values[at + 3 * a + 1], values[at + 3 * a + 2]];
      values.set(multiply3(inverse, [row(0), row(1), row(2)]).flat(), at);
    }
  }
  symmetrise(values, atoms, repeats);
  return { structure, repeats, values };
}
