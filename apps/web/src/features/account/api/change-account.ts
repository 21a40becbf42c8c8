/** The calls that move or end an account, or a session of it. */
import { changeMobile, deleteAccount, logout } from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** The new number; an account without one has no old token. @throws ApiError */
export async function moveToMobile(oldToken: string | null, newToken: string): Promise<string> {
  const old = oldToken === null ? {} : { old_mobile_sms_token: oldToken };
  const body = { ...old, new_mobile_sms_token: newToken };
  return expectOutcome(await callApi(changeMobile, body)).new_mobile;
}

/** @throws ApiError */
export const endAccount = async (smsToken: string) =>
  expectOutcome(await callApi(deleteAccount, { sms_token: smsToken }));

/** @throws ApiError */
export const logOut = (everywhere: boolean) => callApi(logout, { everywhere });
