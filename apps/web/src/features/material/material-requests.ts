/** What the page of a material and the comparison ask the server. Both use the same keys, so they share the answers. */
import {
  fetchIrvsp,
  getBrillouinZone,
  getRelated,
  getStructDetail,
  getXrdHandle,
  getXrdHandle2,
} from '@unitcell/contract/calls';
import type {
  BrillouinZoneData,
  MaterialDetail,
  MaterialXrd,
  RelatedMaterials,
} from '@unitcell/contract/matdata';
import type { TopologyData } from '@unitcell/contract/topology';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type RequestOf } from '../../lib/api-client.ts';
import { queryClient } from '../../lib/query-client.ts';

/** An id as addresses write it. */
export const isMaterialId = (id: string): boolean => /^\d{1,10}$/.test(id);

const keyOf = (what: string, structId: string) => ['matdata', what, Number(structId)];

export const materialDetailRequest = (id: string | number): RequestOf<typeof getStructDetail> => ({
  call: getStructDetail,
  body: { struct_id: id },
});

export const materialDetail = (id: string) =>
  queryOptions({
    queryKey: ['matdata', 'detail', id],
    queryFn: ({ signal }): Promise<MaterialDetail> => {
      const { call, body } = materialDetailRequest(id);
      return callApi(call, body, { signal });
    },
  });

/** Everything of one material. A number nobody has is an ApiError with the server's sentence. */
export const useMaterialDetail = (id: string) => useQuery(materialDetail(id));

/** Asks for it before there is a page to show it. */
export function askForMaterial(id: string): void {
  if (isMaterialId(id)) void queryClient.prefetchQuery(materialDetail(id));
}

// Requests of sections, which the page sends beside that for the detail. `retryOnMount: false`: when the section appears, a
// request that has failed shows its fault and is not sent again.

export const zoneRequest = (structId: string) => ({
  queryKey: keyOf('brillouin-zone', structId),
  retryOnMount: false,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BrillouinZoneData> =>
    expectOutcome(await callApi(getBrillouinZone, { struct_id: structId }, { signal })),
});

/** The first pattern of a material: Cu Kα, 200 nm. */
export const xrdRequest = (structId: string) => ({
  queryKey: keyOf('xrd', structId),
  retryOnMount: false,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MaterialXrd> =>
    expectOutcome(await callApi(getXrdHandle, { struct_id: structId }, { signal })),
});

export const topologyRequest = (structId: string) => ({
  queryKey: keyOf('topology', structId),
  retryOnMount: false,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<TopologyData> =>
    callApi(fetchIrvsp, { struct_id: structId }, { signal }),
});

/** What leads on from a material. */
export const relatedRequest = (structId: string) => ({
  queryKey: keyOf('related', structId),
  retryOnMount: false,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RelatedMaterials> =>
    callApi(getRelated, { struct_id: structId }, { signal }),
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
