import { getEcwDetail } from '@unitcell/contract/calls';
import type { WindowDetail } from '@unitcell/contract/ecwindow';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type RequestOf } from '../../../lib/api-client.ts';

export const windowDetailRequest = (
  structId: string | number,
  workIon: string,
  functional: string | null,
): RequestOf<typeof getEcwDetail> => ({
  call: getEcwDetail,
  body: { struct_id: structId, work_ion: workIon, ...(functional ? { functional } : {}) },
});

export const useWindowDetail = (structId: string, workIon: string, functional: string | null) =>
  useQuery({
    queryKey: ['ecwindow', 'detail', Number(structId), workIon, functional],
    retry: false,
    queryFn: async ({ signal }): Promise<WindowDetail> => {
      const { call, body } = windowDetailRequest(structId, workIon, functional);
      return expectOutcome(await callApi(call, body, { signal }));
    },
  });
