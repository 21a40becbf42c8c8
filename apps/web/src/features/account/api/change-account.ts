/** The calls that move or end an account, or a session of it. */
import { changeMobile, deleteAccount, logout } from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** The new number. @throws ApiError */
export async function moveToMobile(oldToken: string, newToken: string): Promise<string> {
  const body = { old_mobile_sms_token: oldToken, new_mobile_sms_token: newToken };
  return expectOutcome(await callApi(changeMobile, body)).new_mobile;
}

/** @throws ApiError */
export const endAccount = async (smsToken: string) =>
  expectOutcome(await callApi(deleteAccount, { sms_token: smsToken }));

/** @throws ApiError */
export const logOut = (everywhere: boolean) => callApi(logout, { everywhere });
