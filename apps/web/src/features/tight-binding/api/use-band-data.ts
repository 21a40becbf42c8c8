import { type CallRequest, getBandData, getLatticeStructure } from '@unitcell/contract/calls';
import type { BandData, LatticeStructure } from '@unitcell/contract/tight-binding';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type RequestOf } from '../../../lib/api-client.ts';

/** Viewer script and kinds of site, as the server has them. */
export const useLatticeStructure = (gridId: string) =>
  useQuery({
    queryKey: ['tight-binding', 'structure', gridId],
    queryFn: async ({ signal }): Promise<LatticeStructure> =>
      expectOutcome(await callApi(getLatticeStructure, { grid_id: gridId }, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export type BandDataRequest = CallRequest<typeof getBandData>;

export const bandDataRequest = (body: BandDataRequest): RequestOf<typeof getBandData> => ({
  call: getBandData,
  body,
});

/** Bands as the server calculates them. */
export const useBandData = (request: BandDataRequest) =>
  useQuery({
    queryKey: ['tight-binding', 'bands', request],
    queryFn: async ({ signal }): Promise<BandData> =>
      expectOutcome(await callApi(getBandData, request, { signal })),
    retry: false,
  });
