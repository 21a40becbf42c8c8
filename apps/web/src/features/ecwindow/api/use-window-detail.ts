import { getEcwDetail, type WindowDetail } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

export const useWindowDetail = (structId: string, workIon: string, functional: string | null) =>
  useQuery({
    queryKey: ['ecwindow', 'detail', Number(structId), workIon, functional],
    retry: false,
    queryFn: async ({ signal }): Promise<WindowDetail> =>
      expectOutcome(
        await callApi(
          getEcwDetail,
          { struct_id: structId, work_ion: workIon, ...(functional ? { functional } : {}) },
          { signal },
        ),
      ),
  });
