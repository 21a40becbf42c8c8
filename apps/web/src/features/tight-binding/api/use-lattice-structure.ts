import { getLatticeStructure, type LatticeStructure } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** Viewer script and kinds of site, as the server has them. */
export const useLatticeStructure = (gridId: string) =>
  useQuery({
    queryKey: ['tight-binding', 'structure', gridId],
    queryFn: async ({ signal }): Promise<LatticeStructure> =>
      expectOutcome(await callApi(getLatticeStructure, { grid_id: gridId }, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
