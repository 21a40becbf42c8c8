import { fetchIrvsp } from '@unitcell/contract/calls';
import type { TopologyData } from '@unitcell/contract/topology';
import { callApi } from '../../../lib/api-client.ts';

export const topologyRequest = (structId: string) => ({
  queryKey: ['matdata', 'topology', Number(structId)],
  // The page has asked already: its fault is shown, not asked for again when the section appears.
  retryOnMount: false,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<TopologyData> =>
    callApi(fetchIrvsp, { struct_id: structId }, { signal }),
});
