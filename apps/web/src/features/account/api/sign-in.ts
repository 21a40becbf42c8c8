/** Exchanges a code for a login token. */
import { loginCheckSm, loginGetSmsToken, registerCheckSm, registerGetSmsToken } from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import type { LoginMode } from './request-code.ts';

const CALLS = {
  login: { exchange: loginGetSmsToken, check: loginCheckSm },
  register: { exchange: registerGetSmsToken, check: registerCheckSm },
} as const;

/** The token, or null when the server gave none. @throws ApiError with its sentence when the code is refused. */
export async function signIn(mode: LoginMode, mobile: string, code: string): Promise<string | null> {
  const { exchange, check } = CALLS[mode];
  const { sms_token: smsToken } = expectOutcome(await callApi(exchange, { mobile, code }));
  if (smsToken === undefined) return null;
  const { token } = expectOutcome(await callApi(check, { mobile, sms_token: smsToken }));
  return token ?? null;
}
