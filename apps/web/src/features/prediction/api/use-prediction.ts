import { predict, type PredictionResult } from '@unitcell/contract';
import { skipToken, useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type SentRequest } from '../../../lib/api-client.ts';

/** What is to be predicted: a file in this page's hands, or a material named in the address. */
export type Asked =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'material'; readonly structId: number };

export const predictionRequest = (asked: Asked): SentRequest<typeof predict> => ({
  call: predict,
  body:
    asked.kind === 'file' ? { structure: asked.text, file_name: asked.name } : { struct_id: asked.structId },
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
