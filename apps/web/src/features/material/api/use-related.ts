import { getRelated } from '@unitcell/contract/calls';
import type { RelatedMaterials } from '@unitcell/contract/matdata';
import { callApi } from '../../../lib/api-client.ts';

/** What leads on from a material; asked for beside its detail. */
export const relatedRequest = (structId: string) => ({
  queryKey: ['matdata', 'related', Number(structId)],
  retryOnMount: false,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RelatedMaterials> =>
    callApi(getRelated, { struct_id: structId }, { signal }),
});
