import { getStructDetail, type MaterialDetail } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError, callApi, isRefusal } from '../../../lib/api-client.ts';

/** Everything of one material. A number nobody has is an ApiError with the server's sentence. */
export const useMaterialDetail = (id: string) =>
  useQuery({
    queryKey: ['matdata', 'detail', id],
    queryFn: async ({ signal }): Promise<MaterialDetail> => {
      const answer = await callApi(getStructDetail, { struct_id: id }, { signal });
      if (isRefusal(answer) || !('struct_id' in answer)) throw new ApiError(404, answer.message);
      return answer;
    },
  });
