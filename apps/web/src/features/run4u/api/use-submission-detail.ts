import { run4uDetail, type SubmissionDetail } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';

/** One submission with the material it belongs to; idle while `id` is null. */
export const useSubmissionDetail = (id: number | null) =>
  useQuery({
    queryKey: ['run4u', 'detail', id, currentLanguage()],
    enabled: id !== null,
    queryFn: async ({ signal }): Promise<SubmissionDetail> => {
      return expectOutcome(await callApi(run4uDetail, { id: id ?? 0 }, { signal }));
    },
  });
