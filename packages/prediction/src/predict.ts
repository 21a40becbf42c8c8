/**
 * Predicted properties of a crystal as it is given, with intervals that hold for nine of ten unseen systems. The figures reached are in
 * the manifest and in docs/science/prediction.md.
 */
import type { Structure } from '@unitcell/crystal';
import { crystalGraph } from './crystal-graph.ts';
import type { Model } from './read-model.ts';
import { type Values, valuesOf } from './values.ts';

export type Prediction = Values;

/**
 * Predicts a crystal.
 * @throws PredictionError as `crystalGraph`, and `unknown-element`
 */
export function predict(model: Model, structure: Structure): Prediction {
  const atoms = Math.log(structure.sites.length);
  return valuesOf(model, model.manifest.scales, crystalGraph(structure), [atoms]).values;
}
