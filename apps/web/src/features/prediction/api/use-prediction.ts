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

/**
 * @param relax whether a crystal is also predicted after a relaxation; not for a formula, which has no structure to
 * relax
 */
export const predictionRequest = (asked: Asked, relax: boolean): RequestOf<typeof predict> => ({
  call: predict,
  body: { ...bodyOf(asked), ...(relax && asked.kind !== 'formula' && { relax }) },
});

/** Predicted values; idle without input. */
export const usePrediction = (asked: Asked | null, relax: boolean) =>
  useQuery({
    ...apiQuery(predictionRequest(asked ?? { kind: 'formula', formula: '' }, relax)),
    enabled: asked !== null,
    retry: false,
  });

export const CARD: RequestOf<typeof modelCard> = { call: modelCard, body: undefined };

/** The card of the current model. */
export const useModelCard = () => useQuery(apiQuery(CARD));
