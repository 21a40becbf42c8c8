import { getStructDetail, type MaterialDetail } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../lib/api-client.ts';

/** Everything of one material. A number nobody has is an ApiError with the server's sentence. */
export const useMaterialDetail = (id: string) =>
  useQuery({
    queryKey: ['matdata', 'detail', id],
    queryFn: ({ signal }): Promise<MaterialDetail> => callApi(getStructDetail, { struct_id: id }, { signal }),
  });
