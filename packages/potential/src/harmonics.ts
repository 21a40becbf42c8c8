/**
 * Real spherical harmonics of a unit vector up to degree 3. The polar axis is y, and the squares of one degree add up
 * to 2l + 1. The index of (l, m) is l² + m, m = 0 … 2l.
 */
export const MAX_DEGREE = 3;

const [S3, S5, S15] = [Math.sqrt(3), Math.sqrt(5), Math.sqrt(15)];
const [A3, B3, C3, D3] = [Math.sqrt(35 / 8), Math.sqrt(105), Math.sqrt(21 / 8), Math.sqrt(7) / 2];

export function harmonics(
  [x, y, z]: readonly [number, number, number],
  maxDegree: number,
  out: Float64Array,
  at: number,
): void {
  out[at] = 1;
  out[at + 1] = S3 * x;
  out[at + 2] = S3 * y;
  out[at + 3] = S3 * z;
  if (maxDegree < 2) return;
  out[at + 4] = S15 * x * z;
  out[at + 5] = S15 * x * y;
  out[at + 6] = S5 * (y * y - (x * x + z * z) / 2);
  out[at + 7] = S15 * y * z;
  out[at + 8] = (S15 / 2) * (z * z - x * x);
  if (maxDegree < 3) return;
  out[at + 9] = A3 * (3 * z * z - x * x) * x;
  out[at + 10] = B3 * x * y * z;
  out[at + 11] = C3 * (4 * y * y - x * x - z * z) * x;
  out[at + 12] = D3 * (2 * y * y - 3 * (x * x + z * z)) * y;
  out[at + 13] = C3 * (4 * y * y - x * x - z * z) * z;
  out[at + 14] = (B3 / 2) * (z * z - x * x) * y;
  out[at + 15] = A3 * (z * z - 3 * x * x) * z;
}

/** Gradient of Σ g · Y with respect to x, y, z, with the harmonics as polynomials. */
export function harmonicsGradient(
  [x, y, z]: readonly [number, number, number],
  maxDegree: number,
  g: Float64Array,
  at: number,
): [number, number, number] {
  let gx = S3 * g[at + 1];
  let gy = S3 * g[at + 2];
  let gz = S3 * g[at + 3];
  if (maxDegree >= 2) {
    const [a, b, c, d, e] = [g[at + 4], g[at + 5], g[at + 6], g[at + 7], g[at + 8]];
    gx += S15 * (z * a + y * b - x * e) - S5 * x * c;
    gy += S15 * (x * b + z * d) + 2 * S5 * y * c;
    gz += S15 * (x * a + y * d + z * e) - S5 * z * c;
  }
  if (maxDegree >= 3) {
    const [a, b, c, d, e, f, h] = g.subarray(at + 9, at + 16);
    const [xx, yy, zz] = [x * x, y * y, z * z];
    gx +=
      A3 * (3 * (zz - xx) * a - 6 * x * z * h) +
      B3 * (y * z * b - x * y * f) +
      C3 * ((4 * yy - 3 * xx - zz) * c - 2 * x * z * e) -
      6 * D3 * x * y * d;
    gy +=
      B3 * (x * z * b + ((zz - xx) / 2) * f) +
      8 * C3 * y * (x * c + z * e) +
      D3 * (6 * yy - 3 * (xx + zz)) * d;
    gz +=
      A3 * (6 * x * z * a + 3 * (zz - xx) * h) +
      B3 * (x * y * b + y * z * f) +
      C3 * ((4 * yy - xx - 3 * zz) * e - 2 * x * z * c) -
      6 * D3 * y * z * d;
  }
  return [gx, gy, gz];
}
