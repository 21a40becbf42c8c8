import { type CallRequest, changeInfor, uploadAvatar } from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** The changed user info. @throws ApiError */
export const changeProfile = async (change: CallRequest<typeof changeInfor>) =>
  expectOutcome(await callApi(changeInfor, change));

/** The address of the stored picture. @throws ApiError */
export async function sendAvatar(file: File): Promise<string> {
  const form = new FormData();
  form.set('file', file);
  return expectOutcome(await callApi(uploadAvatar, form)).file_url;
}
