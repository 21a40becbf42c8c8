/** Formatting rules of the tensor sections. */
import type { MaterialDetail } from '@unitcell/contract/matdata';

/** Column order of tensors in Voigt notation. */
export const VOIGT_PAIRS = ['xx', 'yy', 'zz', 'yz', 'xz', 'xy'] as const;

export interface TensorComponent {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/** The component of the largest magnitude, the first if several are equal; null for a zero tensor. */
export function largestComponent(tensor: readonly (readonly number[])[]): TensorComponent | null {
  let best: TensorComponent | null = null;
  tensor.forEach((values, row) =>
    values.forEach((value, column) => {
      if (Math.abs(value) > Math.abs(best?.value ?? 0)) best = { row, column, value };
    }),
  );
  return best;
}

/** Relative rounding error of a component after rotations of the tensor. */
const TURNED = 1e-6;

/** The number of decimals that show all components as their source states them; `most` if more would be needed. */
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

/**
 * Decimals of the dielectric tensors and derived values. The refractive index n is a square root, so its relative error
 * is half as large and it has one more digit.
 */
export function dielectricDecimals({ epsilon_tensor: electronic, epsilon_total_tensor: total }: Dielectric) {
  const ofElectronic = statedDecimals(electronic, DIELECTRIC_DECIMALS);
  return {
    epsilon_electron: ofElectronic,
    epsilon_total: statedDecimals(total ?? [], DIELECTRIC_DECIMALS),
    refractive_index: Math.min(ofElectronic + 1, DIELECTRIC_DECIMALS),
  };
}
