/**
 * Predicted properties of a crystal as it is given, with intervals that hold for nine of ten unseen systems. The figures reached are in
 * the manifest and in docs/science/prediction.md.
 */
import { cellVolume, type Structure } from '@unitcell/crystal';
import { crystalGraph } from './crystal-graph.ts';
import type { Model } from './read-model.ts';
import { isUsual } from './surroundings.ts';
import { type Values, valuesOf } from './values.ts';

export type Prediction = Values;

/**
 * Predicts a crystal.
 * @throws PredictionError as `crystalGraph`, and `unknown-element`
 */
export function predict(model: Model, structure: Structure): Prediction {
  const { scales, domain } = model.manifest;
  const atoms = structure.sites.length;
  const graph = crystalGraph(structure);
  const isAsTaught = isUsual(domain.surroundings, graph, cellVolume(structure.latticeVectors) / atoms);
  return valuesOf(model, scales, graph, [Math.log(atoms)], isAsTaught).values;
}
