/** Reading a file: the structure it holds, or what is wrong with it. */
import { run4uHandle, type UploadedStructure } from '@unitcell/contract';
import { useMutation } from '@tanstack/react-query';
import { useFailure } from '../../../components/failure.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, isRefusal } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { run4uTexts } from '../texts.ts';

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
