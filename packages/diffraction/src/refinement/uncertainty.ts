/** Variances and covariances of refined parameters. */
import type { Covariance } from './least-squares.ts';
import type { Estimate } from './types.ts';

/** The data of a fit that are needed for e.s.d. */
export interface Uncertainty {
  readonly free: readonly number[];
  readonly covariance: Covariance;
  /** Factor that turns N⁻¹ into variances: max(1, χ²) × (Bérar's factor)². */
  readonly inflation: number;
}

/** Covariances of the given parameters; undefined unless all of them were refined and determined. */
export function covariances(
  { free, covariance, inflation }: Uncertainty,
  parameters: readonly number[],
): number[][] | undefined {
  const places = parameters.map((parameter) => free.indexOf(parameter));
  if (places.some((place) => place < 0 || covariance.undetermined.includes(place))) return undefined;
  return places.map((i) => places.map((j) => covariance.matrix[i][j] * inflation));
}

export function estimateOf(uncertainty: Uncertainty, values: Float64Array, parameter: number): Estimate {
  const [[variance] = [undefined]] = covariances(uncertainty, [parameter]) ?? [[]];
  const value = values[parameter];
  return variance === undefined ? { value } : { value, esd: Math.sqrt(Math.max(0, variance)) };
}
