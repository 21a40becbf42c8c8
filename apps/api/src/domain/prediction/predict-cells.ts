/** What a model says of many stored cells. Pure but for the weights, which are read once; runs in worker threads. */
import type { PredictedValues } from '@unitcell/contract';
import { type CompactCell, CrystalError, fromCompactCell } from '@unitcell/crystal';
import { predict, type Prediction, PredictionError } from '@unitcell/prediction';
import type { ModelPlace } from './models.ts';
import { openedModel } from './opened-model.ts';
import { predictedValuesOf } from './predicted-values.ts';

export interface PredictCellsRequest {
  readonly model: ModelPlace;
  readonly cells: readonly CompactCell[];
}

/** Values, or the code of the reason why there are none. */
export type PredictedCell =
  | { readonly values: PredictedValues; readonly refusal: '' }
  | { readonly values: null; readonly refusal: string };

/** The prediction of a crystal, or why the model says nothing of it. @throws what is no fault of the crystal */
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
