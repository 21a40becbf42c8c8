import { type MatchProgress, xrdProgress } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

const ASK_EVERY_MS = 600;

/** How far a match is, asked again and again while `matchId` is one. */
export const useMatchProgress = (matchId: string | null) =>
  useQuery({
    queryKey: ['xrd', 'progress', matchId],
    enabled: matchId !== null,
    retry: false,
    gcTime: 0,
    refetchInterval: ASK_EVERY_MS,
    queryFn: async ({ signal }): Promise<MatchProgress> =>
      expectOutcome(await callApi(xrdProgress, { match_id: matchId ?? '' }, { signal })),
  });
