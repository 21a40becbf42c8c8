import { getStructDetail } from '@unitcell/contract/calls';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, type RequestOf } from '../../../lib/api-client.ts';
import { queryClient } from '../../../lib/query-client.ts';

export const materialDetailRequest = (id: string | number): RequestOf<typeof getStructDetail> => ({
  call: getStructDetail,
  body: { struct_id: id },
});

/** An id as addresses write it. */
export const isMaterialId = (id: string): boolean => /^\d{1,10}$/.test(id);

const materialDetail = (id: string) =>
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
