import { modelCard, predict } from '@unitcell/contract/calls';
import type { PredictionResult } from '@unitcell/contract/prediction';
import { skipToken, useQuery } from '@tanstack/react-query';
import { apiQuery, callApi, expectOutcome, type RequestOf } from '../../../lib/api-client.ts';

/** What is to be predicted: a file in this page's hands, or a formula or a material named in the address. */
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

/** Predicted values; idle until something is asked. */
export const usePrediction = (asked: Asked | null) =>
  useQuery({
    queryKey: ['prediction', asked],
    retry: false,
    queryFn:
      asked === null
        ? skipToken
        : async ({ signal }): Promise<PredictionResult> => {
            const { call, body } = predictionRequest(asked);
            return expectOutcome(await callApi(call, body, { signal }));
          },
  });

export const CARD: RequestOf<typeof modelCard> = { call: modelCard, body: undefined };

/** The card of the model that predicts. */
export const useModelCard = () => useQuery(apiQuery(CARD));
