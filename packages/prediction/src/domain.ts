/**
 * Distance of a crystal from the training data in the network's latent space, and its nearest training
 * crystals.
 */
import type { Predictor } from './read-model.ts';

const NEAREST = 5;

export interface KnownCrystal {
  /** Materials Project id of the training crystal. */
  readonly id: string;
  readonly formula: string;
  /** Distance in whitened principal components. */
  readonly distance: number;
}

/**
 * `near`: nearer than 90 % of the calibration crystals; `edge`: nearer than 99 %; `outside`: further away, or with
 * unusual atomic environments (`isUsual`).
 */
export type Familiarity = 'near' | 'edge' | 'outside';

export interface Domain {
  /** Whitened principal components of the latent state. */
  readonly place: Float64Array;
  /** Mean distance to the five nearest training crystals. */
  readonly distance: number;
  /** Mean error of the trained network for these five, eV/atom. */
  readonly nearbyError: number;
  readonly familiarity: Familiarity;
  readonly nearest: readonly KnownCrystal[];
}

/** Finds the position of a latent state among the training rows. */
export function domainOf(
  { manifest, places, errors }: Predictor,
  latent: Float64Array,
  isAsTaught: boolean,
): Domain {
  const { mean, components, quantiles, known } = manifest.domain;
  const size = components.length / mean.length;
  const place = new Float64Array(size);
  for (let k = 0; k < size; k++)
    for (let c = 0; c < mean.length; c++) place[k] += components[k * mean.length + c] * (latent[c] - mean[c]);
  const nearest: { index: number; square: number }[] = [];
  // Most rows are too far away after a few components, so the sum ends there.
  let farthest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < known.length; index++) {
    let square = 0;
    for (let k = 0, at = index * size; k < size && square < farthest; k++, at++)
      square += (place[k] - places[at]) ** 2;
    if (square >= farthest) continue;
    nearest.push({ index, square });
    nearest.sort((a, b) => a.square - b.square);
    nearest.length = Math.min(nearest.length, NEAREST);
    if (nearest.length === NEAREST) farthest = nearest[NEAREST - 1].square;
  }
  const mid = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const distance = mid(nearest.map(({ square }) => Math.sqrt(square)));
  const isOutside = distance > quantiles[2] || !isAsTaught;
  return {
    place,
    distance,
    nearbyError: mid(nearest.map(({ index }) => errors[index])),
    familiarity: isOutside ? 'outside' : distance <= quantiles[1] ? 'near' : 'edge',
    nearest: nearest.map(({ index, square }) => {
      const [id, formula] = known[index].split(' ');
      return { id, formula, distance: Math.sqrt(square) };
    }),
  };
}
