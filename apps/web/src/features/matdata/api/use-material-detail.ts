import { getStructDetail, type MaterialDetail } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, type SentRequest } from '../../../lib/api-client.ts';

export const materialDetailRequest = (id: string | number): SentRequest<typeof getStructDetail> => ({
  call: getStructDetail,
  body: { struct_id: id },
});

/** Everything of one material. A number nobody has is an ApiError with the server's sentence. */
export const useMaterialDetail = (id: string) =>
  useQuery({
    queryKey: ['matdata', 'detail', id],
    queryFn: ({ signal }): Promise<MaterialDetail> => {
      const { call, body } = materialDetailRequest(id);
      return callApi(call, body, { signal });
    },
  });
