/** A structure on its way: read from a file, sent, cancelled, sent again. */
import { run4uCancel, run4uHandle, run4uResubmit, run4uSubmit } from '@unitcell/contract/calls';
import type { SubmitOutcome, UploadedStructure } from '@unitcell/contract/run4u';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StructureJson } from '@unitcell/material';
import { useFailure } from '../../../components/failure.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, isRefusal } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { run4uTexts } from '../texts.ts';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { cancelNotice, type Notice, submitNotice, type T } from '../view-model.ts';

/** The structure of a file, or the server's sentence why not; an empty sentence means it is no structure file. */
async function uploadStructure(file: File): Promise<UploadedStructure | { readonly refusal: string }> {
  const form = new FormData();
  form.set('cif-file', file, file.name);
  const answer = await callApi(run4uHandle, form);
  return isRefusal(answer) ? { refusal: answer.message } : answer;
}

export interface Upload {
  readonly fileName: string | null;
  /** Of the file that was read last, until it is submitted. */
  readonly structure: UploadedStructure | null;
  /** What is wrong with the file; empty when nothing is. */
  readonly problem: string;
  readonly isReading: boolean;
  readonly read: (files: readonly File[]) => void;
  readonly clear: () => void;
}

export function useUpload(): Upload {
  const { t } = useTexts(run4uTexts);
  const sentence = useFailure();
  const { data, error, variables, isPending, mutate, reset } = useMutation({
    mutationFn: uploadStructure,
    onSuccess: (answer) => {
      // What is wrong with a file stands beside it, and stays.
      if (!('refusal' in answer)) notify('success', t('uploaded'));
    },
  });
  const read = (files: readonly File[]): void => {
    const [file] = files;
    if (!file || isPending) return;
    if (files.length > 1) notify('warning', t('oneFile', { name: file.name }));
    mutate(file);
  };
  const refusal = data && 'refusal' in data ? data.refusal || t('badFormat') : '';
  return {
    fileName: variables?.name ?? null,
    structure: data && !('refusal' in data) ? data : null,
    problem: error ? sentence(error) : refusal,
    isReading: isPending,
    read,
    clear: reset,
  };
}

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
