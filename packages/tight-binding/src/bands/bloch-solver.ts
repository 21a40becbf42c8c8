/**
 * Eigenvalues and eigenvectors of a model at one k after another, without allocating per point.
 */
import {
  createHermitianEigenWorkspace,
  hermitianEigen,
  type HermitianEigenResult,
  hermitianEigenvalues,
} from '@unitcell/numerics';
import type { Vec2 } from '../periodic-graph.ts';
import type { TightBindingModel } from './model.ts';

export interface BlochSolver {
  readonly size: number;
  /** Band energies at k (fractions of the reciprocal vectors), ascending; overwritten by the next call. */
  energies(k: Vec2): Float64Array;
  /** Energies and orthonormal states at k; overwritten by the next call. */
  states(k: Vec2): HermitianEigenResult;
}

/** Terms of the lower triangle that share one cell shift. */
interface ShiftTerms {
  readonly dx: number;
  readonly dy: number;
  readonly places: Int32Array;
  readonly re: Float64Array;
  readonly im: Float64Array;
  /** −1 where the term is the conjugate of the listed bond, 0 on the diagonal (which is real). */
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
