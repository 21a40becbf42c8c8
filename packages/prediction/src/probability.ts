/** Chances of lying near the hull. */
import type { CompositionPrediction } from './predict-composition.ts';
import type { Model } from './read-model.ts';
import type { Values } from './values.ts';

/** y at x on the straight lines between the points (xs, ys); the ends' values outside. */
function between(xs: readonly number[], ys: readonly number[], x: number): number {
  const above = xs.findIndex((known) => known > x);
  if (above === 0) return ys[0];
  if (above < 0) return ys[ys.length - 1];
  const share = (x - xs[above - 1]) / (xs[above] - xs[above - 1]);
  return ys[above - 1] + share * (ys[above] - ys[above - 1]);
}

/**
 * Probability that the true energy lies at most `margin` above a hull (eV/atom): from the errors on calibration systems, then corrected
 * by the share of calibration crystals of which it came true. It holds for crystals as they are in databases, half of which lie within
 * 25 meV; in a list of which fewer are stable, fewer come true.
 * @param energyAboveHull predicted, eV/atom; negative below the hull
 */
export function probabilityWithin(
  { manifest }: Pick<Model, 'manifest'>,
  prediction: Values | CompositionPrediction,
  energyAboveHull: number,
  margin: number,
): number {
  const { interval, chances } = 'measuredBandGap' in prediction ? manifest.composition : manifest;
  const { signedScores } = interval;
  const levels = signedScores.map((_, k) => k / (signedScores.length - 1));
  const told = 1 - between(signedScores, levels, (energyAboveHull - margin) / prediction.expectedError);
  return between(chances.told, chances.found, told);
}
