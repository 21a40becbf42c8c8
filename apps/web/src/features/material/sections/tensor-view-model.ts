/** What the tensor sections say about their numbers. */
import type { MaterialDetail } from '@unitcell/contract/matdata';

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

/** What turning a tensor into other axes leaves of a last digit, as a share of the component. */
const TURNED = 1e-6;

/** Decimals a tensor is shown with: those its components need, so those of its source, and `most` where none suffice. */
export function statedDecimals(tensor: readonly (readonly number[])[], most: number): number {
  const isEnough = (decimals: number): boolean =>
    tensor.every((row) =>
      row.every(
        (value) => Math.abs(value - Number(value.toFixed(decimals))) <= TURNED * Math.max(1, Math.abs(value)),
      ),
    );
  let decimals = 0;
  while (decimals < most && !isEnough(decimals)) decimals++;
  return decimals;
}

type Dielectric = NonNullable<MaterialDetail['epsilon_piezo']['epsilon_piezo_data']['dielectric_property']>;

const DIELECTRIC_DECIMALS = 3;

/** Decimals of the dielectric tensors and of what follows from them; the root in n has half the relative error: one digit more. */
export function dielectricDecimals({ epsilon_tensor: electronic, epsilon_total_tensor: total }: Dielectric) {
  const ofElectronic = statedDecimals(electronic, DIELECTRIC_DECIMALS);
  return {
    epsilon_electron: ofElectronic,
    epsilon_total: statedDecimals(total ?? [], DIELECTRIC_DECIMALS),
    refractive_index: Math.min(ofElectronic + 1, DIELECTRIC_DECIMALS),
  };
}
