/** What the page of a material and the comparison ask the server. Both use the same keys, so they share the answers. */
import {
  fetchIrvsp,
  getBrillouinZone,
  getRelated,
  getStructDetail,
  getXrdHandle,
  getXrdHandle2,
} from '@unitcell/contract/calls';
import type { MaterialXrd } from '@unitcell/contract/matdata';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, callApi, expectOutcome, type RequestOf } from '../../lib/api-client.ts';
import { queryClient } from '../../lib/query-client.ts';

/** An id as addresses write it. */
export const isMaterialId = (id: string): boolean => /^\d{1,10}$/.test(id);

export const materialDetailRequest = (id: string | number): RequestOf<typeof getStructDetail> => ({
  call: getStructDetail,
  body: { struct_id: id },
});

export const materialDetail = (id: string) => apiQuery(materialDetailRequest(id));

/** Everything of one material. A number nobody has is an ApiError with the server's sentence. */
export const useMaterialDetail = (id: string) => useQuery(materialDetail(id));

/** Asks for it before there is a page to show it. */
export function askForMaterial(id: string): void {
  if (isMaterialId(id)) void queryClient.prefetchQuery(materialDetail(id));
}

// Requests of sections, which the page sends beside that for the detail. `retryOnMount: false`: when the section appears, a
// request that has failed shows its fault and is not sent again.

const ofMaterial = (structId: string) => ({ struct_id: structId });

export const zoneRequest = (structId: string) => ({
  ...apiQuery({ call: getBrillouinZone, body: ofMaterial(structId) }),
  retryOnMount: false,
});

/** The first pattern of a material: Cu Kα, 200 nm. */
export const xrdRequest = (structId: string) => ({
  ...apiQuery({ call: getXrdHandle, body: ofMaterial(structId) }),
  retryOnMount: false,
});

export const topologyRequest = (structId: string) => ({
  ...apiQuery({ call: fetchIrvsp, body: ofMaterial(structId) }),
  retryOnMount: false,
});

/** What leads on from a material. */
export const relatedRequest = (structId: string) => ({
  ...apiQuery({ call: getRelated, body: ofMaterial(structId) }),
  retryOnMount: false,
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
