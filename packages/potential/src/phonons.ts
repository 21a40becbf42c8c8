/**
 * Phonons from force constants. Frequencies are in THz. Imaginary frequencies are given as negative numbers; a
 * displacement along such a mode lowers the energy.
 */
import {
  ATOMIC_MASS_KG,
  BOLTZMANN_EV_PER_K,
  ELEMENTARY_CHARGE_C,
  elementBySymbol,
  PLANCK_J_S,
} from '@unitcell/elements';
import {
  add3,
  createHermitianEigenWorkspace,
  dot3,
  hermitianEigen,
  hermitianEigenvalues,
  IDENTITY3,
  inverse3,
  type Mat3,
  norm3,
  roundTo,
  rowTimesMatrix3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { commensurate, dipoleInteraction } from './dipole-interaction.ts';
import { diagonal, type ForceConstants, type Repeats } from './force-constants.ts';
import { supercellCells } from './supercell-cells.ts';

/** THz that correspond to the square root of 1 eV/(Å² u): 15.633302. */
const THZ = Math.sqrt(ELEMENTARY_CHARGE_C / ATOMIC_MASS_KG) / (2 * Math.PI * 1e2);
/** Planck's constant, eV per THz: 4.135667696e-3. */
const PLANCK_EV_PER_THZ = (PLANCK_J_S / ELEMENTARY_CHARGE_C) * 1e12;
/** THz; slower and imaginary modes are left out of sums over modes, because their classical share would be infinite. */
export const SLOWEST = 0.01;
/** Å; images count as equally near if their distances differ by less than this. */
const EQUAL_DISTANCE = 1e-4;

export interface PhononModes {
  /** THz, ascending. */
  readonly frequencies: Float64Array;
  /**
   * Row k is the unit eigenvector of the dynamical matrix for `frequencies[k]`: x, y, z of each atom, as real and
   * imaginary parts.
   */
  readonly vectorsRe: Float64Array;
  readonly vectorsIm: Float64Array;
}

interface Link {
  /** Index of the force constants of the pair. */
  readonly at: number;
  readonly first: number;
  readonly second: number;
  /** Lattice translations of the nearest images. */
  readonly images: readonly Vec3[];
}

const cellsOf = (repeats: Repeats): readonly Vec3[] => supercellCells(diagonal(repeats)).cells;

/** Each pair of the force constants, with its nearest images under translations of the supercell. */
function linksOf({ structure, supercell }: ForceConstants): Link[] {
  const { latticeVectors, sites } = structure;
  const { cells } = supercellCells(supercell);
  const toSupercell = inverse3(supercell);
  // Two supercells on each side are searched, because the axes of a primitive cell may be far from perpendicular.
  const around = cellsOf([5, 5, 5]).map((step) => rowTimesMatrix3(subtract3(step, [2, 2, 2]), supercell));
  return sites.flatMap((from, first) =>
    cells.flatMap((cell, c) =>
      sites.map((to, second): Link => {
        const difference = subtract3(to.fractionalCoords, from.fractionalCoords);
        const [x, y, z] = rowTimesMatrix3(add3(cell, difference), toSupercell);
        const near = subtract3(
          cell,
          rowTimesMatrix3([Math.round(x), Math.round(y), Math.round(z)], supercell),
        );
        const candidates = around.map((step) => {
          const image = add3(near, step);
          return { image, distance: norm3(rowTimesMatrix3(add3(difference, image), latticeVectors)) };
        });
        const nearest = Math.min(...candidates.map(({ distance }) => distance));
        return {
          at: ((first * cells.length + c) * sites.length + second) * 9,
          first,
          second,
          images: candidates
            .filter(({ distance }) => distance < nearest + EQUAL_DISTANCE)
            .map(({ image }) => image),
        };
      }),
    ),
  );
}

/** Mass of each atom of the cell in u. */
export const massesOf = ({ structure, masses }: ForceConstants): readonly number[] =>
  masses ?? structure.sites.map(({ species }) => elementBySymbol(species[0].element).atomicMass);

/** Creates a function that fills the dynamical matrix, eV/(Å² u), at a wave vector. All calls use the same arrays. */
function dynamicalMatrix(constants: ForceConstants) {
  const links = linksOf(constants);
  const masses = massesOf(constants);
  const dipoles = constants.charges && dipoleInteraction(constants.structure, constants.charges);
  const size = 3 * masses.length;
  const [re, im] = [new Float64Array(size * size), new Float64Array(size * size)];
  /** @param direction direction of approach to Γ, where the longitudinal modes of charged atoms depend on it */
  const fill = (q: Vec3, direction?: Vec3): void => {
    re.fill(0);
    im.fill(0);
    for (const { at, first, second, images } of links) {
      let [cosine, sine] = [0, 0];
      for (const image of images) {
        const phase = 2 * Math.PI * dot3(q, image);
        cosine += Math.cos(phase) / images.length;
        sine += Math.sin(phase) / images.length;
      }
      const mass = Math.sqrt(masses[first] * masses[second]);
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const value = constants.values[at + 3 * a + b] / mass;
          const [row, column] = [3 * first + a, 3 * second + b];
          // Half of each value goes to each triangle of the matrix, so that the sum is Hermitian in spite of
          // rounding.
          re[row * size + column] += (value * cosine) / 2;
          im[row * size + column] += (value * sine) / 2;
          re[column * size + row] += (value * cosine) / 2;
          im[column * size + row] -= (value * sine) / 2;
        }
    }
    if (!dipoles) return;
    const added = dipoles(q, direction);
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++) {
        const mass = Math.sqrt(masses[Math.floor(row / 3)] * masses[Math.floor(column / 3)]);
        re[row * size + column] += added.re[row * size + column] / mass;
        im[row * size + column] += added.im[row * size + column] / mass;
      }
  };
  return { size, re, im, fill, workspace: createHermitianEigenWorkspace(size) };
}

const toFrequency = (square: number): number => THZ * Math.sign(square) * Math.sqrt(Math.abs(square));

/**
 * Returns a function that gives the modes at a wave vector (in fractions of the reciprocal vectors of the structure).
 * At Γ a direction, in the same fractions, splits longitudinal from transverse modes if the force constants have
 * charges. The next call overwrites the eigenvectors.
 */
export function phononSolver(constants: ForceConstants): (q: Vec3, direction?: Vec3) => PhononModes {
  const { size, re, im, fill, workspace } = dynamicalMatrix(constants);
  return (q, direction) => {
    fill(q, direction);
    const { values, vectorsRe, vectorsIm } = hermitianEigen(re, im, size, workspace);
    return { frequencies: values.map(toFrequency), vectorsRe, vectorsIm };
  };
}

/** Like `phononSolver` without eigenvectors, in a third of the time: frequencies in THz, ascending. */
export function phononFrequencies(constants: ForceConstants): (q: Vec3, direction?: Vec3) => Float64Array {
  const { size, re, im, fill, workspace } = dynamicalMatrix(constants);
  return (q, direction) => {
    fill(q, direction);
    return hermitianEigenvalues(re, im, size, workspace).map(toFrequency);
  };
}

/**
 * The frequencies of a regular mesh of wave vectors, THz.
 * @param shift shift of the mesh in units of its step: with 0 the mesh contains Γ, where sound waves are zero
 *   up to rounding; ½ avoids Γ
 */
export function meshFrequencies(
  constants: ForceConstants,
  mesh: Repeats,
  shift = 0,
): Pick<PhononMesh, 'points' | 'frequencies'> {
  const frequenciesAt = phononFrequencies(constants);
  const all = cellsOf(mesh).map((cell) => {
    const [x, y, z] = cell.map((value) => value + shift);
    return frequenciesAt([x / mesh[0], y / mesh[1], z / mesh[2]]);
  });
  return { points: all.length, frequencies: Float64Array.from(all.flatMap((values) => [...values])) };
}

/** Modes on a regular mesh of wave vectors that contains Γ. */
export interface PhononMesh {
  readonly points: number;
  /** Frequencies at all wave vectors, THz. */
  readonly frequencies: Float64Array;
  /** Share of each atom in each mode, ordered by atom; the sum over atoms is 1. */
  readonly shares: readonly Float64Array[];
}

export function phononMesh(constants: ForceConstants, mesh: Repeats): PhononMesh {
  const solve = phononSolver(constants);
  const atoms = constants.structure.sites.length;
  const size = 3 * atoms;
  const points = mesh[0] * mesh[1] * mesh[2];
  const frequencies = new Float64Array(points * size);
  const shares = Array.from({ length: atoms }, () => new Float64Array(points * size));
  const opposite = ([x, y, z]: Vec3): number =>
    (((mesh[0] - x) % mesh[0]) * mesh[1] + ((mesh[1] - y) % mesh[1])) * mesh[2] + ((mesh[2] - z) % mesh[2]);
  cellsOf(mesh).forEach((cell, point) => {
    // Waves in opposite directions have the same frequencies and shares.
    const known = opposite(cell);
    if (known < point) {
      for (const values of [frequencies, ...shares])
        values.copyWithin(point * size, known * size, (known + 1) * size);
      return;
    }
    const modes = solve([cell[0] / mesh[0], cell[1] / mesh[1], cell[2] / mesh[2]]);
    frequencies.set(modes.frequencies, point * size);
    for (let mode = 0; mode < size; mode++)
      for (let k = 0; k < size; k++) {
        const at = mode * size + k;
        shares[Math.floor(k / 3)][point * size + mode] += modes.vectorsRe[at] ** 2 + modes.vectorsIm[at] ** 2;
      }
  });
  return { points, frequencies, shares };
}

export interface PhononDensity {
  /** THz */
  readonly frequencies: readonly number[];
  /** States per THz and cell; the integral is three times the number of atoms. */
  readonly total: readonly number[];
  /** Contribution of each atom. */
  readonly byAtom: readonly (readonly number[])[];
}

/** The density of states, in which each mode is a Gaussian. @param width standard deviation, THz */
export function phononDensity(
  { points, frequencies, shares }: PhononMesh,
  width = 0.1,
  count = 201,
): PhononDensity {
  const low = frequencies.reduce((a, b) => Math.min(a, b)) - 4 * width;
  const high = frequencies.reduce((a, b) => Math.max(a, b)) + 4 * width;
  const step = (high - low) / (count - 1);
  const byAtom = shares.map(() => Array.from({ length: count }, () => 0));
  const norm = 1 / (points * width * Math.sqrt(2 * Math.PI));
  frequencies.forEach((frequency, mode) => {
    const first = Math.max(0, Math.ceil((frequency - 5 * width - low) / step));
    const last = Math.min(count - 1, Math.floor((frequency + 5 * width - low) / step));
    for (let k = first; k <= last; k++) {
      const value = norm * Math.exp(-(((low + k * step - frequency) / width) ** 2) / 2);
      shares.forEach((share, atom) => {
        byAtom[atom][k] += share[mode] * value;
      });
    }
  });
  const grid = Array.from({ length: count }, (_, k) => low + k * step);
  return {
    frequencies: grid,
    total: grid.map((_, k) => byAtom.reduce((sum, part) => sum + part[k], 0)),
    byAtom,
  };
}

export interface ThermalProperties {
  /** K */
  readonly temperature: number;
  /** Helmholtz energy of the vibrations, including the zero-point energy, eV per cell. */
  readonly freeEnergy: number;
  /** eV/K per cell */
  readonly entropy: number;
  /** eV/K per cell, at constant volume. */
  readonly heatCapacity: number;
}

/** Harmonic thermodynamics from sums over the modes of a mesh. */
export const thermalProperties = (
  { points, frequencies }: Pick<PhononMesh, 'points' | 'frequencies'>,
  temperatures: readonly number[],
): ThermalProperties[] => {
  const energies = frequencies
    .filter((frequency) => frequency > SLOWEST)
    .map((frequency) => PLANCK_EV_PER_THZ * frequency);
  return temperatures.map((temperature) => {
    const thermal = BOLTZMANN_EV_PER_K * temperature;
    let [freeEnergy, entropy, heatCapacity] = [0, 0, 0];
    for (const energy of energies) {
      freeEnergy += energy / 2;
      if (thermal === 0) continue;
      const x = energy / thermal;
      const filled = Math.exp(-x);
      const occupation = filled / (1 - filled);
      freeEnergy += thermal * Math.log1p(-filled);
      entropy += BOLTZMANN_EV_PER_K * (x * occupation - Math.log1p(-filled));
      heatCapacity += BOLTZMANN_EV_PER_K * x * x * occupation * (1 + occupation);
    }
    return {
      temperature,
      freeEnergy: freeEnergy / points,
      entropy: entropy / points,
      heatCapacity: heatCapacity / points,
    };
  });
};

/**
 * Motion of the atoms in a phonon mode: the eigenvector of the dynamical matrix divided by √mass, scaled so that the largest
 * amplitude is 1.
 * @param eigenvector of each atom the real parts of x, y, z, then the imaginary parts
 * @param masses u
 */
export function modeDisplacements(
  eigenvector: readonly (readonly number[])[],
  masses: readonly number[],
): number[][] {
  const atoms = eigenvector.map((parts, atom) => parts.map((part) => part / Math.sqrt(masses[atom])));
  const largest = Math.max(...atoms.map((parts) => Math.hypot(...parts)));
  return atoms.map((parts) => parts.map((part) => part / largest));
}

/** The motion of the atoms in all modes of a wave vector. */
export interface ModeMotion {
  /** THz, ascending; negative: imaginary. */
  readonly frequencies: number[];
  /**
   * By mode and atom: real parts of x, y, z, then imaginary parts, times exp(2πi q·R) in the cell at R. The largest
   * amplitude of a mode is 1.
   */
  readonly displacements: number[][][];
}

/** Returns a function that gives the motion of the atoms at a wave vector, in fractions of the reciprocal vectors. */
export function modeMotions(constants: ForceConstants): (q: Vec3) => ModeMotion {
  const masses = massesOf(constants);
  const solve = phononSolver(constants);
  return (q) => {
    const { frequencies, vectorsRe, vectorsIm } = solve(q);
    const size = frequencies.length;
    const displacements = Array.from(frequencies, (_, mode) => {
      const eigenvector = masses.map((_mass, atom) => {
        const at = mode * size + 3 * atom;
        return [...vectorsRe.subarray(at, at + 3), ...vectorsIm.subarray(at, at + 3)];
      });
      return modeDisplacements(eigenvector, masses).map((parts) => parts.map((part) => roundTo(part, 5)));
    });
    return { frequencies: Array.from(frequencies, (frequency) => roundTo(frequency, 4)), displacements };
  };
}

/** The labelled wave vectors of a path, and the labels along each unbroken branch: a `KPath` of @unitcell/symmetry. */
interface BandPath {
  readonly points: Readonly<Record<string, Vec3>>;
  readonly path: readonly (readonly string[])[];
}

export interface BandPoint {
  /** In fractions of the reciprocal vectors of the structure. */
  readonly q: number[];
  /** The label of the path. */
  readonly label?: string;
  /** THz, ascending. */
  readonly frequencies: number[];
}

/** Steps along a straight piece of the path through the Brillouin zone. */
const STEPS_PER_SEGMENT = 20;

const isGamma = (q: Vec3): boolean => q.every((value) => value === 0);

/**
 * Bands along a path. With Born charges the modes at Γ are calculated for the direction of the path segment that
 * contains the point.
 * @param toOwn converts points of the path to fractions of the reciprocal vectors of the structure
 */
export function phononBands(
  constants: ForceConstants,
  { points, path }: BandPath,
  toOwn: Mat3 = IDENTITY3,
): BandPoint[] {
  const frequenciesAt = phononFrequencies(constants);
  const at = (standard: Vec3, along: Vec3, label?: string): BandPoint => {
    const q = rowTimesMatrix3(standard, toOwn);
    const direction = isGamma(standard) && constants.charges ? rowTimesMatrix3(along, toOwn) : undefined;
    return {
      q: q.map((value) => roundTo(value, 8)),
      ...(label === undefined ? {} : { label }),
      frequencies: Array.from(frequenciesAt(q, direction), (frequency) => roundTo(frequency, 4)),
    };
  };
  return path.flatMap((labels) =>
    labels.flatMap((label, k) => {
      const [end, next, before] = [points[label], points[labels[k + 1]], points[labels[k - 1]]];
      // The longitudinal modes at Γ depend on the direction, which differs between the two segments.
      const arrival =
        before && (!next || (constants.charges && isGamma(end))) ? [at(end, before, label)] : [];
      if (!next) return arrival;
      const departure = Array.from({ length: STEPS_PER_SEGMENT }, (_, step) => {
        const share = step / STEPS_PER_SEGMENT;
        const between = ([0, 1, 2] as const).map((axis) =>
          roundTo(end[axis] + share * (next[axis] - end[axis]), 8),
        ) as unknown as Vec3;
        return at(between, next, step === 0 ? label : undefined);
      });
      return [...arrival, ...departure];
    }),
  );
}

/** THz. Only frequencies below this count as imaginary, because rounding shifts acoustic modes at Γ from zero. */
export const IMAGINARY = -0.1;

/**
 * Whether some mode is imaginary beyond rounding. Interpolation between Γ and the first wave vector of the supercell may
 * make acoustic modes imaginary by mistake, so only wave vectors that fit the supercell and labelled ones count.
 */
export function hasImaginaryModes(constants: ForceConstants, bands: readonly BandPoint[]): boolean {
  const frequenciesAt = phononFrequencies(constants);
  const isImaginary = (frequency: number): boolean => frequency < IMAGINARY;
  return (
    commensurate(constants.supercell).some((q) => frequenciesAt(q).some(isImaginary)) ||
    bands.some(({ label, frequencies }) => label !== undefined && frequencies.some(isImaginary))
  );
}
