/** Patterns: measured ones read, normalised and freed of their background; the calculated one of a hit. */
import {
  type ReceivedPattern,
  type ReferencePattern,
  type WithoutBackground,
  type XrdData,
  xrdGet,
  xrdNorData,
  xrdReceive,
  xrdRemoveBg,
} from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import type { Hit, Round } from '../view-model.ts';

/** @throws ApiError with the server's sentence when the file is no pattern. */
export async function uploadPattern(file: File): Promise<ReceivedPattern> {
  const form = new FormData();
  form.set('xrd-file', file, file.name);
  return expectOutcome(await callApi(xrdReceive, form));
}

export const normalisePattern = async (data: XrdData): Promise<XrdData> =>
  expectOutcome(await callApi(xrdNorData, { xrd_data: data }));

export const removeBackground = async (data: XrdData): Promise<WithoutBackground> =>
  expectOutcome(await callApi(xrdRemoveBg, { xrd_data: data, isNormalize: data.name === 'normlized' }));

/** The calculated pattern of a hit, as the match saw it; idle while there is none. */
export function useReference(round: Round | null, hit: Hit | null, twoThetaMax: number) {
  const request = {
    struct_id: hit?.structId ?? 0,
    crystal_size: round?.result.crystal_size ?? 0,
    radiation: round?.result.radiation ?? '',
    strain: hit?.strain ?? 0,
    two_theta_max: twoThetaMax,
  };
  return useQuery({
    queryKey: ['xrd', 'reference', request],
    enabled: round !== null && hit !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<ReferencePattern> =>
      expectOutcome(await callApi(xrdGet, request, { signal })),
  });
}
