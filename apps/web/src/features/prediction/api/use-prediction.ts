import { modelCard, predict } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { apiQuery, type RequestOf } from '../../../lib/api-client.ts';

/** Input of a prediction: an uploaded file, or a formula or a material named in the address. */
export type Asked =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'formula'; readonly formula: string }
  | { readonly kind: 'material'; readonly structId: number };

function bodyOf(asked: Asked): RequestOf<typeof predict>['body'] {
  if (asked.kind === 'file') return { structure: asked.text, file_name: asked.name };
  return asked.kind === 'formula' ? { formula: asked.formula } : { struct_id: asked.structId };
}

export const predictionRequest = (asked: Asked): RequestOf<typeof predict> => ({
  call: predict,
  body: bodyOf(asked),
});

/** Predicted values; idle without input. */
export const usePrediction = (asked: Asked | null) =>
  useQuery({
    ...apiQuery(predictionRequest(asked ?? { kind: 'formula', formula: '' })),
    enabled: asked !== null,
    retry: false,
  });

export const CARD: RequestOf<typeof modelCard> = { call: modelCard, body: undefined };

/** The card of the current model. */
export const useModelCard = () => useQuery(apiQuery(CARD));
