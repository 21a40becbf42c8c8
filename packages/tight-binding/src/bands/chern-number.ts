/**
 * Chern numbers of isolated bands on a grid of the zone: the phases of overlaps around each plaquette add up to 2π
 * times an integer (T. Fukui, Y. Hatsugai, H. Suzuki, J. Phys. Soc. Jpn. 74 (2005) 1674).
 */
import { TightBindingError } from '../tight-binding-error.ts';
import { createBlochSolver } from './bloch-solver.ts';
import type { TightBindingModel } from './model.ts';

/** Bands that come closer than this anywhere on the grid are not isolated. */
export const ISOLATION_GAP = 1e-6;

export interface BandChernNumber {
  readonly band: number;
  /** Undefined for a band that touches a neighbour. */
  readonly chern: number | undefined;
  /** Smallest distance to the neighbouring bands at one k, on the grid. */
  readonly directGap: number;
}

/** Chern number of every isolated band on a `divisions` × `divisions` grid (24 is enough for gaps of a few percent of t). */
export function chernNumbers(model: TightBindingModel, divisions = 24): BandChernNumber[] {
  if (!Number.isInteger(divisions) || divisions < 4 || divisions > 200)
    throw new TightBindingError(
      'invalid-option',
      `the grid has ${divisions} divisions: expected an integer from 4 to 200`,
    );
  const solver = createBlochSolver(model);
  const n = solver.size;
  const gaps = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const grid = Array.from({ length: divisions * divisions }, (_, index) => {
    const { values, vectorsRe, vectorsIm } = solver.states([
      Math.floor(index / divisions) / divisions,
      (index % divisions) / divisions,
    ]);
    for (let band = 0; band < n; band++) {
      const up = band + 1 < n ? values[band + 1] - values[band] : Number.POSITIVE_INFINITY;
      const down = band > 0 ? values[band] - values[band - 1] : Number.POSITIVE_INFINITY;
      gaps[band] = Math.min(gaps[band], up, down);
    }
    return { re: vectorsRe.slice(), im: vectorsIm.slice() };
  });
  const at = (i: number, j: number) => grid[(i % divisions) * divisions + (j % divisions)];
  return Array.from(gaps, (directGap, band) => {
    if (directGap < ISOLATION_GAP) return { band, chern: undefined, directGap };
    let flux = 0;
    for (let i = 0; i < divisions; i++)
      for (let j = 0; j < divisions; j++) {
        const corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        let [re, im] = [1, 0];
        corners.forEach((corner, side) => {
          const [x, y] = overlap(corner, corners[(side + 1) % 4], band, n);
          [re, im] = [re * x - im * y, re * y + im * x];
        });
        flux += Math.atan2(im, re);
      }
    return { band, chern: Math.round(flux / (2 * Math.PI)) + 0, directGap };
  });
}

interface States {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** ⟨u(k)|u(k′)⟩ of one band. */
function overlap(a: States, b: States, band: number, n: number): [number, number] {
  let [re, im] = [0, 0];
  for (let place = band * n; place < (band + 1) * n; place++) {
    re += a.re[place] * b.re[place] + a.im[place] * b.im[place];
    im += a.re[place] * b.im[place] - a.im[place] * b.re[place];
  }
  return [re, im];
}
