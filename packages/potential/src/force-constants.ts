/**
 * Force constants by finite displacements in a supercell. With an engine, atoms are displaced along the Cartesian axes,
 * without the displacements that follow from others by symmetry.
 */
import { supercell as repeated, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import {
  add3,
  determinant3,
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
import { type SiteOperation, siteOperations, rotatedVector } from './site-symmetry.ts';
import { type SupercellCells, supercellCells } from './supercell-cells.ts';

export type Repeats = readonly [number, number, number];

export interface ForceConstants {
  readonly structure: Structure;
  /** Rows are vectors of the supercell in units of the lattice vectors of the structure. */
  readonly supercell: Mat3;
  /**
   * eV/Å². Index ((i · cells + c) · atoms + j) · 9 + 3 a + b holds minus the derivative of force component b of atom j
   * in cell c by component a of atom i in the first cell. Cells are in the order of `supercellCells`.
   */
  readonly values: Float64Array;
  /** Mass of each atom in u; standard atomic weights if absent. */
  readonly masses?: readonly number[];
  /** If present, `values` exclude the dipole interaction of these charges. */
  readonly charges?: DipoleCharges;
}

/** Data on how the motion of ions couples to a macroscopic field. */
export interface DipoleCharges {
  /** Born effective charges of each atom in e; rows are directions of the field. */
  readonly born: readonly Mat3[];
  /** Relative permittivity with clamped ions */
  readonly dielectric: Mat3;
  /** 1/Å; the charges are Gaussians whose transform is exp(−K·ε·K / 4 Λ²). */
  readonly damping: number;
}

/** Forces on a supercell with one atom displaced. */
export interface DisplacedForces {
  /** Index of the displaced atom, in the first cell. */
  readonly site: number;
  /** Cartesian displacement, Å. */
  readonly displacement: Vec3;
  /** Forces caused by the displacement, eV/Å; the force on atom j in cell c starts at 3 (c · atoms + j). */
  readonly forces: Float64Array;
}

/** Å; minimum height of the supercell along each axis. Forces at larger distances are small. */
const HEIGHT = 10;
/** Heights whose ratio is below this count as equal. */
const EQUAL_HEIGHT = 1.001;
/** Å */
const DISPLACEMENT = 0.01;
/** A number counts as an integer if its distance from the nearest integer is smaller than this. */
const WHOLE = 1e-6;
/** Smallest accepted determinant of Σ u ⊗ u, divided by the cube of the mean diagonal element. */
const SPANNED = 1e-6;
/**
 * A further displacement is used only if at least this share of its direction is outside the span of the
 * others.
 */
const INDEPENDENT = 0.2;

/** Distances between opposite faces of a cell, Å. */
const heights = (lattice: Mat3): Vec3 => {
  const [a, b, c] = transpose3(inverse3(lattice));
  return [1 / norm3(a), 1 / norm3(b), 1 / norm3(c)];
};

/**
 * The smallest supercell at least 10 Å high along each axis; it stays smaller if it would exceed `maxAtoms`
 * atoms.
 * @throws PotentialError `too-large` when the crystal itself has more than `maxAtoms` atoms
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
    // Axes of equal height are repeated together, because an uneven supercell would break the symmetry between
    // them.
    const larger = repeats.map((count, axis) => count + (reached[axis] < lowest * EQUAL_HEIGHT ? 1 : 0));
    const next = larger as unknown as Repeats;
    if (sites.length * next[0] * next[1] * next[2] > maxAtoms) return repeats;
    repeats = next;
  }
}

export const diagonal = ([x, y, z]: Repeats): Mat3 => [
  [x, 0, 0],
  [0, y, 0],
  [0, 0, z],
];

/** Whether an operation maps the lattice of the supercell onto itself. */
const keepsSupercell = ({ rotation }: SiteOperation, supercell: Mat3): boolean =>
  multiply3(multiply3(supercell, transpose3(rotation)), inverse3(supercell)).every((row) =>
    row.every((value) => Math.abs(value - Math.round(value)) < WHOLE),
  );

/**
 * Unit directions in which a site is displaced. The images of these directions under the operations that keep
 * the site in place span space, and each direction is covered with both signs.
 */
function directionsFor(site: number, operations: readonly SiteOperation[]): Vec3[] {
  const keeping = operations.filter(({ images }) => images[site] === site);
  const chosen: Vec3[] = [];
  const images: Vec3[] = [];
  const addImages = (direction: Vec3): void => {
    chosen.push(direction);
    images.push(...keeping.map((operation) => rotatedVector(operation, direction)));
  };
  for (const direction of IDENTITY3) {
    if (distanceFromSpan(direction, images) < INDEPENDENT) continue;
    addImages(direction);
    const opposite = scale3(direction, -1);
    if (!images.some((image) => norm3(subtract3(image, opposite)) < INDEPENDENT)) addImages(opposite);
  }
  return chosen;
}

/** Length of the part of a unit vector outside the span of others. */
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

/** The supercell with one atom of the first cell moved by a Cartesian vector, Å. */
function withDisplacement(large: Structure, site: number, by: Vec3): Structure {
  const change = rowTimesMatrix3(by, inverse3(large.latticeVectors));
  return {
    ...large,
    sites: large.sites.map((entry, index) =>
      index === site ? { ...entry, fractionalCoords: add3(entry.fractionalCoords, change) } : entry,
    ),
  };
}

/**
 * Makes force constants symmetric under exchange of the two atoms and free of net forces, because a shift of
 * the whole crystal causes no force. First the net force is subtracted evenly from all pairs, which does not
 * change modes at other wave vectors of the supercell. Symmetrising then causes a small net force again, which
 * is subtracted from each atom's own block. Phonopy does the same.
 */
function symmetrise(values: Float64Array, atoms: number, { cells, indexOf }: SupercellCells): void {
  const at = (i: number, cell: number, j: number): number => ((i * cells.length + cell) * atoms + j) * 9;
  const pairs = cells.length * atoms;
  const spread = (places: (k: number) => number): void => {
    const sum = new Float64Array(9);
    for (let k = 0; k < pairs; k++) for (let ab = 0; ab < 9; ab++) sum[ab] += values[places(k) + ab];
    for (let k = 0; k < pairs; k++) for (let ab = 0; ab < 9; ab++) values[places(k) + ab] -= sum[ab] / pairs;
  };
  for (let i = 0; i < atoms; i++) spread((k) => at(i, Math.floor(k / atoms), k % atoms));
  for (let j = 0; j < atoms; j++) spread((k) => at(k % atoms, Math.floor(k / atoms), j));
  for (let i = 0; i < atoms; i++)
    cells.forEach((cell, c) => {
      const back = indexOf(scale3(cell, -1));
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
  takeNetForces(values, atoms, cells.length);
}

/** Acoustic sum rule: subtracts the net force on each atom from its own block. */
function takeNetForces(values: Float64Array, atoms: number, cells: number): void {
  for (let i = 0; i < atoms; i++) {
    const start = i * cells * atoms * 9;
    const sum = new Float64Array(9);
    for (let k = 0; k < cells * atoms * 9; k++) sum[k % 9] += values[start + k];
    const own = start + i * 9;
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) values[own + 3 * a + b] -= (sum[3 * a + b] + sum[3 * b + a]) / 2;
  }
}

/** The force constants after the acoustic sum rule has been imposed by changing each atom's own block. */
export function obeySumRule(constants: ForceConstants): ForceConstants {
  const values = constants.values.slice();
  const atoms = constants.structure.sites.length;
  takeNetForces(values, atoms, values.length / (9 * atoms * atoms));
  return { ...constants, values };
}

/**
 * Force constants from forces on displaced supercells. Each set of forces is also rotated by every operation,
 * which gives the forces for all equivalent displacements and sites. All sets enter a least-squares fit. The
 * result is made symmetric and obeys the acoustic sum rule.
 * @param operations operations of the structure; those that do not keep the supercell are ignored
 * @throws PotentialError `symmetry`; `displacements` when some atom is not displaced along three directions
 */
export function forceConstantsFromForces(
  structure: Structure,
  supercell: Mat3,
  displaced: readonly DisplacedForces[],
  operations: readonly SymmetryOperation[] = [],
): ForceConstants {
  const all = keptOperations(structure, supercell, operations);
  const atoms = structure.sites.length;
  const { cells, indexOf } = supercellCells(supercell);
  const values = new Float64Array(atoms * cells.length * atoms * 9);
  const squares = structure.sites.map(() => new Float64Array(9));
  for (const { site, displacement, forces } of displaced)
    for (const operation of all) {
      const image = operation.images[site];
      const by = rotatedVector(operation, displacement);
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) squares[image][3 * a + b] += by[a] * by[b];
      cells.forEach((cell, c) => {
        const rotated = rowTimesMatrix3(cell, transpose3(operation.rotation));
        for (let j = 0; j < atoms; j++) {
          const source = 3 * (c * atoms + j);
          const force = rotatedVector(operation, [forces[source], forces[source + 1], forces[source + 2]]);
          const shift = subtract3(operation.shifts[j], operation.shifts[site]);
          const target = indexOf(add3(rotated, shift));
          const at = ((image * cells.length + target) * atoms + operation.images[j]) * 9;
          for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) values[at + 3 * a + b] -= by[a] * force[b];
        }
      });
    }
  // Least squares: (Σ u ⊗ u)⁻¹ · Σ u ⊗ F.
  for (let i = 0; i < atoms; i++) {
    const inverse = inverse3(spanningSquares(squares[i], i));
    for (let at = i * cells.length * atoms * 9; at < (i + 1) * cells.length * atoms * 9; at += 9) {
      const row = (a: number): Vec3 => [values[at + 3 * a], values[at + 3 * a + 1], values[at + 3 * a + 2]];
      values.set(multiply3(inverse, [row(0), row(1), row(2)]).flat(), at);
    }
  }
  symmetrise(values, atoms, { cells, indexOf });
  return { structure, supercell, values };
}

/** Σ u ⊗ u of a site. @throws PotentialError `displacements` when it cannot be inverted */
function spanningSquares(s: Float64Array, site: number): Mat3 {
  const matrix: Mat3 = [
    [s[0], s[1], s[2]],
    [s[3], s[4], s[5]],
    [s[6], s[7], s[8]],
  ];
  const mean = (s[0] + s[4] + s[8]) / 3;
  if (!(determinant3(matrix) > SPANNED * mean ** 3))
    throw new PotentialError(
      'displacements',
      `atom ${site + 1} of the cell is not displaced along three directions, not even with symmetry`,
      { atom: site + 1 },
    );
  return matrix;
}

function keptOperations(
  structure: Structure,
  supercell: Mat3,
  operations: readonly SymmetryOperation[],
): SiteOperation[] {
  const identity: SymmetryOperation = { rotation: IDENTITY3, translation: [0, 0, 0] };
  return siteOperations(structure, operations.length > 0 ? operations : [identity]).filter((operation) =>
    keepsSupercell(operation, supercell),
  );
}

/**
 * Force constants of a relaxed crystal by an engine.
 * @param repeats supercell, for instance `phononSupercell(structure, 100)`
 * @param operations of the structure; without them every atom is displaced six times
 * @param onDisplacement called before each displacement is evaluated
 * @throws PotentialError what the engine throws; `symmetry`
 */
export function forceConstants(
  engine: Engine,
  structure: Structure,
  repeats: Repeats,
  operations: readonly SymmetryOperation[] = [],
  onDisplacement: (number: number, count: number) => void = () => undefined,
): ForceConstants {
  const cell = diagonal(repeats);
  const all = keptOperations(structure, cell, operations);
  const large = repeated(structure, repeats);
  const rest = engine.evaluate(large).forces;
  const isDone = new Set<number>();
  const displacements: Pick<DisplacedForces, 'site' | 'displacement'>[] = [];
  for (let site = 0; site < structure.sites.length; site++) {
    if (isDone.has(site)) continue;
    for (const { images } of all) isDone.add(images[site]);
    for (const direction of directionsFor(site, all))
      displacements.push({ site, displacement: scale3(direction, DISPLACEMENT) });
  }
  const found = displacements.map(({ site, displacement }, k): DisplacedForces => {
    onDisplacement(k + 1, displacements.length);
    const { forces } = engine.evaluate(withDisplacement(large, site, displacement));
    return { site, displacement, forces: forces.map((force, at) => force - rest[at]) };
  });
  return forceConstantsFromForces(structure, cell, found, operations);
}
