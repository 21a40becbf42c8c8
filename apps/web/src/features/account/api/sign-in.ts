/** Exchanges a code for a login token. */
import { loginCheckSm, loginGetSmsToken, registerCheckSm, registerGetSmsToken } from '@unitcell/contract';
import { ApiError, callApi, expectOutcome } from '../../../lib/api-client.ts';
import { askForFactor } from '../second-factor.ts';
import type { LoginMode } from './request-code.ts';

const CALLS = {
  login: { exchange: loginGetSmsToken, check: loginCheckSm },
  register: { exchange: registerGetSmsToken, check: registerCheckSm },
} as const;

/** The token; null when the sign-in asks for a second factor, which the login popup then shows. @throws ApiError with its sentence when the code is refused. */
export async function signIn(mode: LoginMode, mobile: string, code: string): Promise<string | null> {
  const { exchange, check } = CALLS[mode];
  const { sms_token: smsToken } = expectOutcome(await callApi(exchange, { mobile, code }));
  const answer = expectOutcome(await callApi(check, { mobile, sms_token: smsToken }));
  if (answer.second_factor) askForFactor(answer.second_factor);
  else if (answer.token === undefined) throw new ApiError(200, answer.message);
  return answer.token ?? null;
}
