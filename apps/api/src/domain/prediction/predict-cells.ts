/**
 * Predictions for many stored cells. Pure except for the weights, which are read once; runs in worker
 * threads.
 */
import { pathToFileURL } from 'node:url';
import type { PredictedValues } from '@unitcell/contract/prediction';
import { type CompactCell, CrystalError, fromCompactCell } from '@unitcell/crystal';
import { type Model, predict, type Prediction, PredictionError } from '@unitcell/prediction';
import { nameOfModel, openModelInNode } from '@unitcell/prediction/node';
import type { ModelPlace } from './models.ts';
import { predictedValuesOf } from './predicted-values.ts';

/** The last model used by this thread. */
let opened: { readonly place: ModelPlace; readonly model: Model } | undefined;

/** @throws PredictionError `model-file`, also when the folder contains another model than the chosen one */
export function openedModel(place: ModelPlace): Model {
  if (opened && opened.place.name === place.name && opened.place.folder === place.folder) return opened.model;
  const model = openModelInNode(place.folder === null ? undefined : pathToFileURL(`${place.folder}/`));
  const name = nameOfModel(model.manifest);
  if (name !== place.name)
    throw new PredictionError(
      'model-file',
      `${place.folder ?? 'the package'} holds the model ${name}; ${place.name} was chosen`,
    );
  opened = { place, model };
  return model;
}

interface PredictCellsRequest {
  readonly model: ModelPlace;
  readonly cells: readonly CompactCell[];
}

/** Values, or the code of the reason for their absence. */
export type PredictedCell =
  | { readonly values: PredictedValues; readonly refusal: '' }
  | { readonly values: null; readonly refusal: string };

/**
 * The prediction for a crystal, or the reason why there is none. @throws errors that are not caused by the
 * crystal
 */
export function attempt(predictIt: () => Prediction): Prediction | { readonly refusal: string } {
  try {
    return predictIt();
  } catch (error) {
    if (error instanceof CrystalError) return { refusal: 'unreadable' };
    if (error instanceof PredictionError && error.code !== 'model-file') return { refusal: error.code };
    throw error;
  }
}

/** @throws PredictionError `model-file` */
export function predictCells({ model: place, cells }: PredictCellsRequest): PredictedCell[] {
  const model = openedModel(place);
  return cells.map((cell) => {
    const made = attempt(() => predict(model, fromCompactCell(cell)));
    return 'refusal' in made
      ? { values: null, refusal: made.refusal }
      : { values: predictedValuesOf(made), refusal: '' };
  });
}
