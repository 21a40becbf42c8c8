import { describe, expect, it } from 'vitest';
import { createHermitianEigenWorkspace, hermitianEigen, hermitianEigenvalues } from './hermitian-eigen.ts';
import { seededRandom } from './seeded-random.ts';
import { symmetricEigen, tridiagonalEigen } from './symmetric-eigen.ts';

describe('symmetricEigen', () => {
  it('diagonalises seeded random matrices: A v = λ v, orthonormal, ascending', () => {
    const random = seededRandom(11);
    for (const n of [1, 2, 3, 6, 9]) {
      const a = Array.from({ length: n }, () => Array.from({ length: n }, () => random() - 0.5));
      const symmetric = a.map((row, i) => row.map((value, j) => value + a[j][i]));
      const { values, vectors } = symmetricEigen(symmetric);
      vectors.forEach((v, k) => {
        symmetric.forEach((row, i) => {
          const product = row.reduce((sum, value, j) => sum + value * v[j], 0);
          expect(product).toBeCloseTo(values[k] * v[i], 13);
        });
        vectors.forEach((w, l) => {
          const dot = v.reduce((sum, value, i) => sum + value * w[i], 0);
          expect(dot).toBeCloseTo(k === l ? 1 : 0, 13);
        });
      });
      expect([...values].sort((x, y) => x - y)).toEqual(values);
    }
  });

  it('finds a small eigenvalue next to a large one to full relative accuracy', () => {
    // D M D with M = [[2, 1], [1, 2]] and D = diag(1, 1e-8): det = 3e-16, trace ≈ 2.
    const { values } = symmetricEigen([
      [2, 1e-8],
      [1e-8, 2e-16],
    ]);
    expect(values[0] / 1.5e-16).toBeCloseTo(1, 12);
  });

  it('accepts zero, degenerate and empty matrices', () => {
    expect(
      symmetricEigen([
        [0, 0],
        [0, 0],
      ]).values,
    ).toEqual([0, 0]);
    expect(
      symmetricEigen([
        [5, 0],
        [0, 5],
      ]).values,
    ).toEqual([5, 5]);
    expect(symmetricEigen([]).values).toEqual([]);
  });

  it('refuses ragged rows and entries that are not finite', () => {
    expect(() => symmetricEigen([[1, 2]])).toThrow(RangeError);
    expect(() => symmetricEigen([[Number.NaN]])).toThrow(/finite/);
  });
});

it('reproduces the levels 2 cos(kπ/(n + 1)) of a chain of n equal links (E. Hückel, Z. Phys. 70 (1931) 204)', () => {
  for (let n = 1; n <= 40; n++) {
    const levels = new Float64Array(n);
    tridiagonalEigen(n, levels, new Float64Array(n).fill(1), null);
    const expected = Array.from({ length: n }, (_, k) => 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)));
    levels.sort().forEach((level, i) => expect(level).toBeCloseTo(expected.toSorted((a, b) => a - b)[i], 12));
  }
});

it('tridiagonalEigen turns rows of the identity into eigenvectors of random matrices, and keeps the trace', () => {
  const random = seededRandom(1968);
  for (let n = 1; n <= 20; n++) {
    const diagonal = Float64Array.from({ length: n }, () => random() - 0.5);
    const links = Float64Array.from({ length: n }, () => (random() < 0.2 ? 0 : random() - 0.5));
    const values = diagonal.slice();
    const vectors = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    tridiagonalEigen(n, values, links.slice(), vectors);
    const sum = (list: Float64Array) => list.reduce((total, value) => total + value, 0);
    expect(sum(values)).toBeCloseTo(sum(diagonal), 12);
    values.forEach((value, row) => {
      const v = vectors.subarray(row * n, (row + 1) * n);
      for (let i = 0; i < n; i++) {
        const [before, after] = [i > 0 ? links[i - 1] * v[i - 1] : 0, i < n - 1 ? links[i] * v[i + 1] : 0];
        expect(before + diagonal[i] * v[i] + after).toBeCloseTo(value * v[i], 11);
      }
    });
  }
});

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

/**
 * Largest entry of H V − V Λ and of V*V − 1 in units of the number of rows; infinite if the values are not
 * ascending. It is near the rounding error for any correct result.
 */
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
  it('the Pauli matrix σy has the eigenvalues −1 and 1', () => {
    const { values } = hermitianEigen(new Float64Array(4), new Float64Array([0, -1, 1, 0]), 2);
    expect([...values]).toEqual([expect.closeTo(-1, 15), expect.closeTo(1, 15)]);
  });

  it('a ring of n sites threaded by a flux has the eigenvalues 2 cos((2πm + φ)/n)', () => {
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

  it('diagonalises sparse and block-diagonal matrices, whose reflections are trivial', () => {
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

  it('does not depend on the unit of energy, from 1e-200 to 1e200', () => {
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

  it('gives the same result with a reused workspace, and does not modify its input', () => {
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
  it('returns the same values as hermitianEigen', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { n, re, im } = randomHermitian(1 + (seed % 11), seed);
      const full = hermitianEigen(re, im, n).values;
      hermitianEigenvalues(re, im, n).forEach((value, k) => expect(value).toBeCloseTo(full[k], 12));
    }
  });
});
