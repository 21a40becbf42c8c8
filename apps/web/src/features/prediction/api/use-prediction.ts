import { predict, type PredictionResult } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** What is to be predicted: a file in this page's hands, or a material named in the address. */
export type Asked =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'material'; readonly structId: number };

/** Predicted values; idle until something is asked. */
export const usePrediction = (asked: Asked | null) =>
  useQuery({
    queryKey: ['prediction', asked],
    enabled: asked !== null,
    retry: false,
    queryFn: async ({ signal }): Promise<PredictionResult> =>
      expectOutcome(
        await callApi(
          predict,
          asked?.kind === 'file'
            ? { structure: asked.text, file_name: asked.name }
            : { struct_id: asked?.structId },
          { signal },
        ),
      ),
  });
