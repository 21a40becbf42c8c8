/** What the tensor sections say about their numbers. */

/** Order of the columns of 6-component tensors. */
export const VOIGT_PAIRS = ['xx', 'yy', 'zz', 'yz', 'xz', 'xy'] as const;

export interface TensorComponent {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/** The component of the largest magnitude, the first of equals; null for a tensor of zeros. */
export function largestComponent(tensor: readonly (readonly number[])[]): TensorComponent | null {
  let best: TensorComponent | null = null;
  tensor.forEach((values, row) =>
    values.forEach((value, column) => {
      if (Math.abs(value) > Math.abs(best?.value ?? 0)) best = { row, column, value };
    }),
  );
  return best;
}
