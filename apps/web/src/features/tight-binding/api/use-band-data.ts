import { type BandData, type CallRequest, getBandData } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type SentRequest } from '../../../lib/api-client.ts';

export type BandDataRequest = CallRequest<typeof getBandData>;

export const bandDataRequest = (body: BandDataRequest): SentRequest<typeof getBandData> => ({
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
