/** What a visitor does: upload, submit, cancel, submit again. */
import {
  run4uCancel,
  run4uHandle,
  run4uResubmit,
  run4uSubmit,
  type StructureJson,
  type SubmitOutcome,
  type UploadedStructure,
} from '@unitcell/contract';
import { callApi, isRefusal } from '../../../lib/api-client.ts';

/** The structure of a file, or the server's sentence why not; an empty sentence means it is no structure file. */
export async function uploadStructure(file: File): Promise<UploadedStructure | { readonly refusal: string }> {
  const form = new FormData();
  form.set('cif-file', file, file.name);
  const answer = await callApi(run4uHandle, form);
  return isRefusal(answer) || !('structure' in answer) ? { refusal: answer.message } : answer;
}

export const submitStructure = (structure: StructureJson | null): Promise<SubmitOutcome> =>
  callApi(run4uSubmit, { submit: true, structure });

export const cancelSubmission = (id: number): Promise<SubmitOutcome> => callApi(run4uCancel, { id });

export const resubmit = (id: number): Promise<SubmitOutcome> => callApi(run4uResubmit, { id });
