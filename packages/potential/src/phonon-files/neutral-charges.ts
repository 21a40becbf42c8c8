import { add3, type Mat3, scale3 } from '@unitcell/numerics';

/** Charges whose sum is zero: what is left over is taken from all atoms alike. */
export function neutral(born: readonly Mat3[]): Mat3[] {
  const sum = born.reduce((a, b) => [add3(a[0], b[0]), add3(a[1], b[1]), add3(a[2], b[2])]);
  return born.map((tensor) => {
    const row = (k: 0 | 1 | 2) => add3(tensor[k], scale3(sum[k], -1 / born.length));
    return [row(0), row(1), row(2)];
  });
}
