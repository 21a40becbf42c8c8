import { type CallRequest, changeInfor, uploadAvatar } from '@unitcell/contract';
import { ApiError, callApi, expectOutcome } from '../../../lib/api-client.ts';

/** The changed user info. @throws ApiError */
export const changeProfile = async (change: CallRequest<typeof changeInfor>) =>
  expectOutcome(await callApi(changeInfor, change));

/** The address of the stored picture. @throws ApiError */
export async function sendAvatar(file: File): Promise<string> {
  const form = new FormData();
  form.set('file', file);
  const answer = expectOutcome(await callApi(uploadAvatar, form));
  if (answer.file_url === undefined) throw new ApiError(200, answer.message);
  return answer.file_url;
}
