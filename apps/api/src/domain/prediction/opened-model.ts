/** Models as threads hold them: read once, the last one kept. */
import { pathToFileURL } from 'node:url';
import { type Model, PredictionError } from '@unitcell/prediction';
import { nameOfModel, openModelInNode } from '@unitcell/prediction/node';
import type { ModelPlace } from './models.ts';

let opened: { readonly place: ModelPlace; readonly model: Model } | undefined;

/** @throws PredictionError `model-file`, also when the folder holds another model than the one that was chosen */
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
