import { describe, expect, it } from 'vitest';
import { createHermitianEigenWorkspace, hermitianEigen, hermitianEigenvalues } from './hermitian-eigen.ts';
import { seededRandom } from './seeded-random.ts';

interface Matrix {
  n: number;
  re: Float64Array;
  im: Float64Array;
}

function randomHermitian(n: number, seed: number, fill = 1): Matrix {
  const random = seededRandom(seed);
  const re = new Float64Array(n * n);
  const im = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      if (random() > fill) continue;
      re[i * n + j] = re[j * n + i] = 2 * random() - 1;
      if (i === j) continue;
      im[i * n + j] = 2 * random() - 1;
      im[j * n + i] = -im[i * n + j];
    }
  return { n, re, im };
}

/** Largest entry of H V − V Λ and of V*V − 1 per row, infinite when the values do not ascend: small for any right answer. */
function worstDefect({ n, re, im }: Matrix): number {
  const { values, vectorsRe, vectorsIm } = hermitianEigen(re, im, n);
  let residual = 0;
  let orthogonality = 0;
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      let sumRe = -values[k] * vectorsRe[k * n + i];
      let sumIm = -values[k] * vectorsIm[k * n + i];
      for (let j = 0; j < n; j++) {
        const [hRe, hIm] = [re[i * n + j], im[i * n + j]];
        const [vRe, vIm] = [vectorsRe[k * n + j], vectorsIm[k * n + j]];
        sumRe += hRe * vRe - hIm * vIm;
        sumIm += hRe * vIm + hIm * vRe;
      }
      residual = Math.max(residual, Math.hypot(sumRe, sumIm));
    }
    for (let l = 0; l <= k; l++) {
      let dotRe = l === k ? -1 : 0;
      let dotIm = 0;
      for (let i = 0; i < n; i++) {
        const [aRe, aIm] = [vectorsRe[k * n + i], vectorsIm[k * n + i]];
        const [bRe, bIm] = [vectorsRe[l * n + i], vectorsIm[l * n + i]];
        dotRe += aRe * bRe + aIm * bIm;
        dotIm += aRe * bIm - aIm * bRe;
      }
      orthogonality = Math.max(orthogonality, Math.hypot(dotRe, dotIm));
    }
  }
  const ascending = values.every((value, k) => k === 0 || values[k - 1] <= value);
  return ascending ? Math.max(residual, orthogonality) / Math.max(1, n) : Number.POSITIVE_INFINITY;
}

describe('hermitianEigen', () => {
  it('the Pauli matrix σy has the values −1 and 1', () => {
    const { values } = hermitianEigen(new Float64Array(4), new Float64Array([0, -1, 1, 0]), 2);
    expect([...values]).toEqual([expect.closeTo(-1, 15), expect.closeTo(1, 15)]);
  });

  it('a ring of n sites threaded by a flux has the values 2 cos((2πm + φ)/n)', () => {
    const n = 9;
    const phi = 0.7;
    const re = new Float64Array(n * n);
    const im = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      re[i * n + j] = re[j * n + i] = Math.cos(phi / n);
      im[i * n + j] = Math.sin(phi / n);
      im[j * n + i] = -im[i * n + j];
    }
    const expected = Array.from({ length: n }, (_, m) => 2 * Math.cos((2 * Math.PI * m + phi) / n)).sort(
      (a, b) => a - b,
    );
    hermitianEigen(re, im, n).values.forEach((value, k) => expect(value).toBeCloseTo(expected[k], 13));
  });

  it('diagonalises seeded random matrices of 0 to 40 rows', () => {
    for (const n of [0, 1, 2, 3, 4, 5, 8, 12, 24, 40])
      for (let seed = 1; seed <= 5; seed++)
        expect(worstDefect(randomHermitian(n, 100 * n + seed))).toBeLessThan(1e-13);
  });

  it('diagonalises sparse and block-diagonal matrices, where reflections have nothing to remove', () => {
    for (let seed = 1; seed <= 30; seed++)
      expect(worstDefect(randomHermitian(10, seed, 0.15))).toBeLessThan(1e-13);
  });

  it('keeps eigenvectors orthonormal in fully degenerate spaces (u u* and the zero matrix)', () => {
    const n = 12;
    const random = seededRandom(4);
    const u = Array.from({ length: n }, () => [random() - 0.5, random() - 0.5] as const);
    const outer = randomHermitian(n, 1, 0);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        outer.re[i * n + j] = u[i][0] * u[j][0] + u[i][1] * u[j][1];
        outer.im[i * n + j] = u[i][1] * u[j][0] - u[i][0] * u[j][1];
      }
    expect(worstDefect(outer)).toBeLessThan(1e-13);
    expect(worstDefect(randomHermitian(n, 1, 0))).toBeLessThan(1e-13);
  });

  it('is indifferent to the unit of energy, from 1e-200 to 1e200', () => {
    for (const scale of [1e-200, 1e200]) {
      const { n, re, im } = randomHermitian(6, 3);
      const reference = hermitianEigen(re, im, n).values;
      const scaled = hermitianEigen(
        re.map((x) => x * scale),
        im.map((x) => x * scale),
        n,
      ).values;
      scaled.forEach((value, k) => expect(value / scale).toBeCloseTo(reference[k], 12));
    }
  });

  it('gives the same answer from a reused workspace and leaves its input alone', () => {
    const workspace = createHermitianEigenWorkspace(7);
    for (let seed = 1; seed <= 4; seed++) {
      const { n, re, im } = randomHermitian(7, seed);
      const before = [re.slice(), im.slice()];
      const reused = hermitianEigen(re, im, n, workspace);
      expect(reused.values).toBe(workspace.values);
      expect([...reused.vectorsRe]).toEqual([...hermitianEigen(re, im, n).vectorsRe]);
      expect([re, im]).toEqual(before);
    }
  });

  it('refuses NaN, infinities, short arrays and a workspace of another size', () => {
    const zero = new Float64Array(4);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => hermitianEigen(new Float64Array([0, 0, bad, 0]), zero, 2)).toThrow(/finite/);
    expect(() => hermitianEigen(zero, zero, 3)).toThrow(/9 entries/);
    expect(() => hermitianEigen(zero, zero, 2, createHermitianEigenWorkspace(3))).toThrow(/3 rows/);
    expect(() => createHermitianEigenWorkspace(1.5)).toThrow(/1.5/);
  });
});

describe('hermitianEigenvalues', () => {
  it('agrees with the full solution', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { n, re, im } = randomHermitian(1 + (seed % 11), seed);
      const full = hermitianEigen(re, im, n).values;
      hermitianEigenvalues(re, im, n).forEach((value, k) => expect(value).toBeCloseTo(full[k], 12));
    }
  });
});
