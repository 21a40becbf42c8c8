/** Eigenvalues and eigenvectors of a model at successive k, without allocating per point. */
import {
  createHermitianEigenWorkspace,
  hermitianEigen,
  type HermitianEigenResult,
  hermitianEigenvalues,
} from '@unitcell/numerics';
import { inverse2, type Mat2, rowTimesMatrix2, type Vec2 } from '../periodic-graph.ts';
import { TightBindingError } from '../tight-binding-error.ts';
import { kPathCorners, reciprocalVectors } from './k-path.ts';
import type { TightBindingModel } from './model.ts';

// Dirac points at the corners of the path: exactly two bands touch, and they separate linearly in every direction.

/** Radius of the larger of the two circles on which the slopes are measured, in units of one over the mean edge. */
export const DIRAC_PROBE = 1e-3;
/** Smallest slope (energy per wave vector) that counts as linear. */
export const DIRAC_MIN_SLOPE = 0.02;
/**
 * Number of directions in which the distance of the bands is measured. Over the full circle, odd terms cancel.
 */
export const DIRAC_DIRECTIONS = 12;
/** Levels closer than this are degenerate. */
export const DEGENERACY_TOLERANCE = 1e-7;

export interface DiracPoint {
  readonly label: string;
  readonly k: Vec2;
  readonly energy: number;
  /** Index of the lower of the two bands. */
  readonly band: number;
}

/**
 * Linear crossings of two bands at the corners of the net's path.
 *
 * Near a crossing the squared distance of the bands is a quadratic form of k; its smaller eigenvalue is the
 * squared slope in the flattest direction, 0 if the bands coincide along a line (glide lines of p4gm).
 */
export function diracPoints(model: TightBindingModel): DiracPoint[] {
  const { planeGroup, latticeVectors } = model.net;
  const solver = createBlochSolver(model);
  const toFraction: Mat2 = inverse2(reciprocalVectors(latticeVectors));
  const corners = kPathCorners(planeGroup, latticeVectors).slice(0, -1);
  return corners.flatMap(({ label, k }) => {
    const levels = Array.from(solver.energies(k));
    const pairs = levels.flatMap((energy, band) => {
      const isPair = band + 1 < levels.length && levels[band + 1] - energy < DEGENERACY_TOLERANCE;
      const isMore =
        (band > 0 && energy - levels[band - 1] < DEGENERACY_TOLERANCE) ||
        (band + 2 < levels.length && levels[band + 2] - energy < DEGENERACY_TOLERANCE);
      return isPair && !isMore ? [band] : [];
    });
    if (pairs.length === 0) return [];
    const cones = [DIRAC_PROBE, DIRAC_PROBE / 2].map((radius) =>
      flattestSlopes(solver, k, pairs, radius, toFraction),
    );
    return pairs
      .filter((_, index) => {
        // Extrapolates to a circle of radius zero, which cancels the next order: any quadratic touching, however steep,
        // gives 0.
        const [wide, narrow] = [cones[0][index], cones[1][index]];
        return (4 * narrow - wide) / 3 > DIRAC_MIN_SLOPE ** 2;
      })
      .map((band) => ({ label, k, energy: levels[band], band }));
  });
}

/** For every pair of bands the squared slope in the flattest direction, measured on a circle. */
function flattestSlopes(
  solver: BlochSolver,
  k: Vec2,
  pairs: readonly number[],
  radius: number,
  toFraction: Mat2,
): number[] {
  const cones = pairs.map(() => ({ mean: 0, cosine: 0, sine: 0 }));
  for (let step = 0; step < DIRAC_DIRECTIONS; step++) {
    const angle = (2 * Math.PI * step) / DIRAC_DIRECTIONS;
    const [x, y] = rowTimesMatrix2([radius * Math.cos(angle), radius * Math.sin(angle)], toFraction);
    const near = solver.energies([k[0] + x, k[1] + y]);
    pairs.forEach((band, index) => {
      const share = ((near[band + 1] - near[band]) / radius) ** 2 / DIRAC_DIRECTIONS;
      const cone = cones[index];
      cone.mean += share;
      cone.cosine += 2 * share * Math.cos(2 * angle);
      cone.sine += 2 * share * Math.sin(2 * angle);
    });
  }
  return cones.map(({ mean, cosine, sine }) => mean - Math.hypot(cosine, sine));
}

/**
 * Squared amplitudes that differ by less than this share are equal, so that rounding does not decide which site
 * fixes the phase.
 */
const EQUAL_AMPLITUDES = 1e-9;

export interface BlochState {
  readonly energy: number;
  /** Amplitude on every site of cell (0, 0); in cell R it is multiplied by exp(2πi k·R). */
  readonly amplitudes: readonly {
    readonly re: number;
    readonly im: number;
    readonly probability: number;
    readonly phaseRad: number;
  }[];
}

/**
 * State of one band at one k, normalised over the cell, with the largest amplitude real and positive.
 * @throws TightBindingError `invalid-option` for a band that does not exist or a k that is not finite.
 */
export function blochState(model: TightBindingModel, band: number, k: Vec2): BlochState {
  const solver = createBlochSolver(model);
  const n = solver.size;
  if (!Number.isInteger(band) || band < 0 || band >= n)
    throw new TightBindingError(
      'invalid-option',
      `band ${band} was asked for: ${model.net.id} has bands 0 to ${n - 1}`,
    );
  if (!k.every(Number.isFinite))
    throw new TightBindingError(
      'invalid-option',
      `k is (${k.join(', ')}): expected two numbers, fractions of the reciprocal vectors`,
    );
  const { values, vectorsRe, vectorsIm } = solver.states(k);
  const amplitudes = Array.from({ length: n }, (_, site) => ({
    re: vectorsRe[band * n + site],
    im: vectorsIm[band * n + site],
  }));
  const size = ({ re, im }: { re: number; im: number }) => re * re + im * im;
  const leader = amplitudes.reduce((best, own) =>
    size(own) > size(best) * (1 + EQUAL_AMPLITUDES) ? own : best,
  );
  const length = Math.sqrt(size(leader));
  const [c, s] = [leader.re / length, -leader.im / length];
  return {
    energy: values[band],
    amplitudes: amplitudes.map(({ re, im }) => {
      const [x, y] = [re * c - im * s, re * s + im * c];
      return { re: x, im: y, probability: x * x + y * y, phaseRad: Math.atan2(y, x) };
    }),
  };
}

export interface BlochSolver {
  readonly size: number;
  /** Band energies at k (fractions of the reciprocal vectors), ascending; overwritten by the next call. */
  energies(k: Vec2): Float64Array;
  /** Energies and orthonormal states at k; overwritten by the next call. */
  states(k: Vec2): HermitianEigenResult;
}

/** Terms of the lower triangle that have the same cell shift. */
interface ShiftTerms {
  readonly dx: number;
  readonly dy: number;
  readonly places: Int32Array;
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** −1 if the term is the conjugate of the listed bond; 0 on the diagonal, which is real. */
  readonly imaginarySign: Int8Array;
}

/**
 * Solver for one model.
 * @example createBlochSolver(createModel({ net: netById('sql') })).energies([0, 0]) // [-4]
 */
export function createBlochSolver({ net, onsite, hoppings }: TightBindingModel): BlochSolver {
  const size = net.positions.length;
  const terms = groupByShift(size, hoppings);
  const base = new Float64Array(size * size);
  onsite.forEach((energy, site) => (base[site * size + site] = energy));
  const re = new Float64Array(size * size);
  const im = new Float64Array(size * size);
  const workspace = createHermitianEigenWorkspace(size);

  const fill = ([kx, ky]: Vec2): void => {
    re.set(base);
    im.fill(0);
    for (const { dx, dy, places, re: own, im: ownIm, imaginarySign } of terms) {
      const phase = 2 * Math.PI * (kx * dx + ky * dy);
      const [c, s] = [Math.cos(phase), Math.sin(phase)];
      for (let n = 0; n < places.length; n++) {
        const place = places[n];
        const sign = imaginarySign[n];
        re[place] += own[n] * c - ownIm[n] * s;
        im[place] += sign * (own[n] * s + ownIm[n] * c);
      }
    }
  };
  return {
    size,
    energies: (k) => {
      fill(k);
      return hermitianEigenvalues(re, im, size, workspace);
    },
    states: (k) => {
      fill(k);
      return hermitianEigen(re, im, size, workspace);
    },
  };
}

function groupByShift(size: number, hoppings: TightBindingModel['hoppings']): ShiftTerms[] {
  const groups = new Map<
    string,
    { dx: number; dy: number; entries: { place: number; re: number; im: number; sign: number }[] }
  >();
  for (const { from, to, dx, dy, re, im } of hoppings) {
    const key = `${dx},${dy}`;
    const group = groups.get(key) ?? { dx, dy, entries: [] };
    groups.set(key, group);
    // On the diagonal the bond and its conjugate add up to twice the real part.
    if (from === to) group.entries.push({ place: from * size + from, re: 2 * re, im: 2 * im, sign: 0 });
    else if (from > to) group.entries.push({ place: from * size + to, re, im, sign: 1 });
    else group.entries.push({ place: to * size + from, re, im, sign: -1 });
  }
  return [...groups.values()].map(({ dx, dy, entries }) => ({
    dx,
    dy,
    places: Int32Array.from(entries, ({ place }) => place),
    re: Float64Array.from(entries, (entry) => entry.re),
    im: Float64Array.from(entries, (entry) => entry.im),
    imaginarySign: Int8Array.from(entries, ({ sign }) => sign),
  }));
}
