import { type ReferencePattern, xrdGet } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import type { Hit, Round } from '../view-model.ts';

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
