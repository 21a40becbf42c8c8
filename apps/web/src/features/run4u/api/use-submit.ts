/** What is done to submissions: send, cancel, send again. */
import { run4uCancel, run4uResubmit, run4uSubmit, type SubmitOutcome } from '@unitcell/contract';
import type { StructureJson } from '@unitcell/material';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { run4uTexts } from '../texts.ts';
import { cancelNotice, type Notice, submitNotice, type T } from '../view-model.ts';

/** One call whose outcome is said in a toast, and after which the history is read again. */
function useOutcome<Request>(
  ask: (request: Request) => Promise<SubmitOutcome>,
  noticeOf: (answer: SubmitOutcome, t: T) => Notice,
) {
  const { t } = useTexts(run4uTexts);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    onError: useFailureToast(),
    onSuccess: (answer) => {
      const { tone, text } = noticeOf(answer, t);
      notify(tone, text);
      void client.invalidateQueries({ queryKey: ['run4u'] });
    },
  });
}

const submitStructure = (structure: StructureJson | null): Promise<SubmitOutcome> =>
  callApi(run4uSubmit, { submit: true, structure });
const resubmit = (id: number): Promise<SubmitOutcome> => callApi(run4uResubmit, { id });
const cancel = (id: number): Promise<SubmitOutcome> => callApi(run4uCancel, { id });

export const useSubmit = () => useOutcome(submitStructure, submitNotice);
export const useResubmit = () => useOutcome(resubmit, submitNotice);
export const useCancel = () => useOutcome(cancel, cancelNotice);
