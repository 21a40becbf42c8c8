import { getXrdHandle, getXrdHandle2, type MaterialXrd } from '@unitcell/contract';
import { useMutation } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** Angles and intensities as the contract says, or the server's sentence as an ApiError. */
const patternOf = (answer: object): MaterialXrd => expectOutcome(answer) as MaterialXrd;

/** The first pattern of a material: Cu Kα, 200 nm. */
export const xrdRequest = (structId: string) => ({
  queryKey: ['matdata', 'xrd', Number(structId)],
  // The page has asked already: its fault is shown, not asked for again when the section appears.
  retryOnMount: false,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MaterialXrd> =>
    patternOf(await callApi(getXrdHandle, { struct_id: structId }, { signal })),
});

export interface PatternSettings {
  /** Å */
  readonly wavelength: number;
  /** nm */
  readonly crystalSize: number;
}

/** Generates the pattern for other settings. */
export const useGeneratePattern = (structId: number) =>
  useMutation({
    mutationFn: async (settings: PatternSettings): Promise<MaterialXrd> =>
      patternOf(await callApi(getXrdHandle2, { struct_id: structId, ...settings })),
  });
