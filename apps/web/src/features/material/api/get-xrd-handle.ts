import { getXrdHandle, getXrdHandle2 } from '@unitcell/contract/calls';
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { useMutation } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** The first pattern of a material: Cu Kα, 200 nm. */
export const xrdRequest = (structId: string) => ({
  queryKey: ['matdata', 'xrd', Number(structId)],
  // The page has asked already: its fault is shown, not asked for again when the section appears.
  retryOnMount: false,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MaterialXrd> =>
    expectOutcome(await callApi(getXrdHandle, { struct_id: structId }, { signal })),
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
      expectOutcome(await callApi(getXrdHandle2, { struct_id: structId, ...settings })),
  });
