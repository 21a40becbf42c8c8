/**
 * Finds the minimum-energy path of atoms between two minima of the energy, for instance of an ion that hops
 * into a vacancy, by the nudged elastic band method: a chain of images that relax perpendicular to the chain
 * while springs keep them apart.
 *
 * Tangents: G. Henkelman, H. Jónsson, J. Chem. Phys. 113, 9978 (2000). Climbing image: Henkelman, Uberuaga, Jónsson,
 * J. Chem. Phys. 113, 9901 (2000). First path: the image-dependent pair potential of Smidstrup, Pedersen, Stokbro,
 * Jónsson, J. Chem. Phys. 140, 214106 (2014). Minimiser: FIRE, Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006).
 */
import type { Structure } from '@unitcell/crystal';
import { add3, inverse3, norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { type Engine, type Evaluation, largestForce, withoutDrift } from './engine.ts';
import { PotentialError } from './potential-error.ts';

export interface BandOptions {
  /** Number of images between start and end; default 5. A strongly curved path needs more. */
  readonly images?: number;
  /**
   * Convergence limit in eV/Å for the force perpendicular to the path, and for the whole force on the climbing
   * image; default 0.05.
   */
  readonly force?: number;
  /** Default 300. */
  readonly maxSteps?: number;
  /**
   * First path: straight lines, or `pair-distances` (the default), which prevents atoms from coming too close.
   */
  readonly interpolation?: 'linear' | 'pair-distances';
}

export interface BandImage {
  /** Å; length of the path from the start to this image, in the space of the coordinates of all atoms. */
  readonly distance: number;
  /** eV, relative to the start. */
  readonly energy: number;
}

export interface Band {
  /** From start to end, both included. */
  readonly images: readonly BandImage[];
  /**
   * Energy of the highest image relative to the start and to the end, eV. The image is a saddle point if it is neither
   * start nor end and the band is converged.
   */
  readonly barrier: number;
  readonly reverseBarrier: number;
  /** Forces on the atoms of the highest image, eV/Å. */
  readonly saddle: Evaluation;
  readonly isConverged: boolean;
}

/** Coordinates of all atoms in sequence, Å. */
type Point = Float64Array;
type Value = Pick<Evaluation, 'energy' | 'forces'>;
/** Returns energy and forces of an image; the pair potential is different for each image. */
type Field<Found extends Value> = (point: Point, image: number) => Found;

/** eV/Å² */
const SPRING = 5;
/** The highest image starts to climb when all forces are below this multiple of the limit. */
const CLIMB_FROM = 5;
/** Parameters of FIRE, for masses of 1. */
const FIRE = {
  start: 0.1,
  most: 1,
  patience: 5,
  faster: 1.1,
  slower: 0.5,
  mixing: 0.1,
  calmer: 0.99,
} as const;
/** Å */
const SHORTEST_PATH = 0.01;
/** Å; limit on each coordinate of a step. */
const LONGEST_STEP = 0.2;
/**
 * Force below which the first path is accepted, and maximum number of steps to reach it, with the pair
 * potential.
 */
const FIRST_PATH = { force: 0.1, maxSteps: 100 } as const;

const dot = (a: Point, b: Point): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
const norm = (a: Point): number => Math.sqrt(dot(a, a));
const difference = (a: Point, b: Point): Point => a.map((value, i) => value - b[i]);

const atomOf = (vector: Point, at: number): Vec3 => [vector[at], vector[at + 1], vector[at + 2]];

/**
 * Unit vector along the path, towards the neighbour with higher energy; at an extremum of the energy, a mean of
 * both directions weighted by energy differences.
 */
function tangentAt(path: readonly Point[], energies: readonly number[], image: number): Point {
  const forward = difference(path[image + 1], path[image]);
  const backward = difference(path[image], path[image - 1]);
  const [rise, fall] = [energies[image + 1] - energies[image], energies[image - 1] - energies[image]];
  let [ahead, behind] = [1, 0];
  if (rise * fall >= 0) {
    const [most, least] = [
      Math.max(Math.abs(rise), Math.abs(fall)),
      Math.min(Math.abs(rise), Math.abs(fall)),
    ];
    [ahead, behind] = energies[image + 1] > energies[image - 1] ? [most, least] : [least, most];
    if (most === 0) [ahead, behind] = [1, 1];
  } else if (rise < 0) [ahead, behind] = [0, 1];
  const tangent = forward.map((value, i) => ahead * value + behind * backward[i]);
  const length = norm(tangent);
  return tangent.map((value) => value / length);
}

const highestOf = (energies: readonly number[]): number => energies.indexOf(Math.max(...energies));

/**
 * Forces on the images between the ends, and the largest force component that must vanish at convergence.
 * @param climbing index of the climbing image, or -1
 */
function bandForces(path: readonly Point[], values: readonly Value[], climbing: number) {
  const energies = values.map(({ energy }) => energy);
  let largest = 0;
  const forces = path.slice(1, -1).map((point, k) => {
    const image = k + 1;
    const own = values[image].forces;
    const tangent = tangentAt(path, energies, image);
    const along = dot(own, tangent);
    if (image === climbing) {
      largest = Math.max(largest, largestForce(own));
      return own.map((value, i) => value - 2 * along * tangent[i]);
    }
    largest = Math.max(largest, largestForce(own.map((value, i) => value - along * tangent[i])));
    const stretch = norm(difference(path[image + 1], point)) - norm(difference(point, path[image - 1]));
    return own.map((value, i) => value + (SPRING * stretch - along) * tangent[i]);
  });
  return { forces, largest };
}

interface RelaxedBand<Found> {
  readonly path: readonly Point[];
  readonly values: readonly Found[];
  readonly isConverged: boolean;
}

function relaxBand<Found extends Value>(
  first: readonly Point[],
  field: Field<Found>,
  { force, maxSteps, climb }: { readonly force: number; readonly maxSteps: number; readonly climb: boolean },
): RelaxedBand<Found> {
  let path = first;
  let values = path.map(field);
  let velocities = path.slice(1, -1).map((point) => new Float64Array(point.length));
  let [time, mixing, downhill, steps]: number[] = [FIRE.start, FIRE.mixing, 0, 0];
  let climbing = -1;
  const last = path.length - 1;
  for (;;) {
    const { forces, largest } = bandForces(path, values, climbing);
    const highest = highestOf(values.map(({ energy }) => energy));
    if (largest <= force && (!climb || climbing >= 0 || highest === 0 || highest === last))
      return { path, values, isConverged: true };
    if (climb && largest <= CLIMB_FROM * force && highest > 0 && highest < last && climbing !== highest) {
      climbing = highest;
      velocities = velocities.map((velocity) => velocity.fill(0));
      continue;
    }
    if (steps === maxSteps) return { path, values, isConverged: false };
    const power = forces.reduce((sum, own, k) => sum + dot(own, velocities[k]), 0);
    if (power > 0) {
      const speed = Math.sqrt(velocities.reduce((sum, own) => sum + dot(own, own), 0));
      const strength = Math.sqrt(forces.reduce((sum, own) => sum + dot(own, own), 0));
      velocities = velocities.map((own, k) =>
        own.map((value, i) => (1 - mixing) * value + (mixing * speed * forces[k][i]) / strength),
      );
      if (downhill++ > FIRE.patience) {
        time = Math.min(time * FIRE.faster, FIRE.most);
        mixing *= FIRE.calmer;
      }
    } else {
      velocities = velocities.map((own) => own.fill(0));
      [time, mixing, downhill] = [time * FIRE.slower, FIRE.mixing, 0];
    }
    velocities = velocities.map((own, k) => own.map((value, i) => value + time * forces[k][i]));
    const longest =
      time * Math.max(...velocities.map((own) => own.reduce((m, v) => Math.max(m, Math.abs(v)), 0)));
    const share = time * Math.min(1, LONGEST_STEP / longest);
    path = path.map((point, image) =>
      image === 0 || image === last ? point : point.map((x, i) => x + share * velocities[image - 1][i]),
    );
    values = path.map((point, image) =>
      image === 0 || image === last ? values[image] : field(point, image),
    );
    steps++;
  }
}

/**
 * Displacement of every atom from start to end, Å. It is not reduced to the nearest image: in a skewed cell a hop
 * can be longer than half an axis.
 * @throws PotentialError `structure`
 */
function displacement(start: Structure, end: Structure): Point {
  const refuse = (what: string): never => {
    throw new PotentialError('structure', `start and end of the path differ in ${what}`);
  };
  if (start.sites.length !== end.sites.length) refuse('their number of atoms');
  if (
    start.latticeVectors.some((row, i) => row.some((x, k) => Math.abs(x - end.latticeVectors[i][k]) > 1e-4))
  )
    refuse('their cells: relax the end in the cell of the start');
  const vectors = start.sites.map((site, index) => {
    const other = end.sites[index];
    if (site.species[0].element !== other.species[0].element) refuse('the order of their atoms');
    return rowTimesMatrix3(subtract3(other.fractionalCoords, site.fractionalCoords), start.latticeVectors);
  });
  return Float64Array.from(vectors.flat());
}

/**
 * The first path: straight lines. Unless `isLinear`, the images are then changed so that all distances between
 * atoms vary as evenly as possible along the path.
 */
function firstPath(start: Structure, whole: Point, images: number, isLinear: boolean): readonly Point[] {
  const shares = Array.from({ length: images + 2 }, (_, image) => image / (images + 1));
  const straight = shares.map((share) => whole.map((value) => share * value));
  if (isLinear) return straight;
  const toFractional = inverse3(start.latticeVectors);
  const places = start.sites.map(({ fractionalCoords }) =>
    rowTimesMatrix3(fractionalCoords, start.latticeVectors),
  );
  const atoms = places.length;
  /** Shortest periodic vector between two atoms of an image. */
  const between = (point: Point, a: number, b: number): Vec3 => {
    const [p, q] = [add3(places[a], atomOf(point, 3 * a)), add3(places[b], atomOf(point, 3 * b))];
    const [u, v, w] = rowTimesMatrix3([q[0] - p[0], q[1] - p[1], q[2] - p[2]], toFractional);
    return rowTimesMatrix3([u - Math.round(u), v - Math.round(v), w - Math.round(w)], start.latticeVectors);
  };
  const distances = (point: Point): Point => {
    const all = new Float64Array(atoms * atoms);
    for (let a = 0; a < atoms; a++)
      for (let b = a + 1; b < atoms; b++) all[a * atoms + b] = norm3(between(point, a, b));
    return all;
  };
  const [from, to] = [distances(straight[0]), distances(whole)];
  const field = (point: Point, image: number): Value => {
    const forces = new Float64Array(point.length);
    let energy = 0;
    for (let a = 0; a < atoms; a++)
      for (let b = a + 1; b < atoms; b++) {
        const pair = a * atoms + b;
        const vector = between(point, a, b);
        const d = norm3(vector);
        const miss = from[pair] + shares[image] * (to[pair] - from[pair]) - d;
        energy += miss ** 2 / d ** 4;
        const pull = (2 * miss) / d ** 4 + (4 * miss ** 2) / d ** 5;
        vector.forEach((x, axis) => {
          forces[3 * b + axis] += (pull * x) / d;
          forces[3 * a + axis] -= (pull * x) / d;
        });
      }
    return { energy, forces };
  };
  return relaxBand(straight, field, { ...FIRST_PATH, climb: false }).path;
}

/**
 * Energy profile and barrier of the minimum-energy path near the straight path, at fixed cell. Needs images ×
 * steps evaluations.
 * @param start relaxed atoms
 * @param end the same atoms in the same order and cell, also relaxed; every atom moves straight to its coordinates, which
 * may lie in another cell
 * @throws PotentialError `structure` when start and end do not fit together; errors of the engine
 */
export function nudgedElasticBand(
  engine: Engine,
  start: Structure,
  end: Structure,
  options: BandOptions = {},
): Band {
  const { images = 5, force = 0.05, maxSteps = 300, interpolation = 'pair-distances' } = options;
  const toFractional = inverse3(start.latticeVectors);
  const structureAt = (point: Point): Structure => ({
    ...start,
    sites: start.sites.map((site, index) => ({
      ...site,
      fractionalCoords: add3(site.fractionalCoords, rowTimesMatrix3(atomOf(point, 3 * index), toFractional)),
    })),
  });
  const whole = displacement(start, end);
  if (norm(whole) < SHORTEST_PATH)
    throw new PotentialError('structure', 'start and end of the path are the same');
  const first = firstPath(start, whole, images, interpolation === 'linear');
  const field = (point: Point): Evaluation => {
    const evaluation = engine.evaluate(structureAt(point));
    return { ...evaluation, forces: withoutDrift(evaluation.forces) };
  };
  const { path, values, isConverged } = relaxBand(first, field, { force, maxSteps, climb: true });
  const energies = values.map(({ energy }) => energy);
  const highest = highestOf(energies);
  let distance = 0;
  return {
    images: path.map((point, image) => {
      if (image > 0) distance += norm(difference(point, path[image - 1]));
      return { distance, energy: energies[image] - energies[0] };
    }),
    barrier: energies[highest] - energies[0],
    reverseBarrier: energies[highest] - energies[energies.length - 1],
    saddle: values[highest],
    isConverged,
  };
}
