/** Codes that confirm a phone of somebody who is signed in, or of an identity that waits to be bound. */
import { bindGetSmsToken, bindRequestSm, loginGetSmsToken, loginRequestSm } from '@unitcell/contract';
import { ApiError, callApi, expectOutcome } from '../../../lib/api-client.ts';
import { askForCode } from './request-code.ts';

const CALLS = {
  /** The present number of an account. */
  login: { request: loginRequestSm, exchange: loginGetSmsToken },
  /** A new number, or an action on the account. */
  bind: { request: bindRequestSm, exchange: bindGetSmsToken },
} as const;

export type ConfirmPurpose = keyof typeof CALLS;

/** @returns whether the number has an account. @throws ApiError with the server's sentence when no code was sent */
export async function requestConfirmation(purpose: ConfirmPurpose, mobile: string): Promise<boolean> {
  const answer = await askForCode(CALLS[purpose].request, mobile);
  if (answer.result === 'invalid') throw new ApiError(200, answer.message);
  return answer.isregister === 1;
}

/** The sms_token of a code. @throws ApiError */
export async function exchangeConfirmation(
  purpose: ConfirmPurpose,
  mobile: string,
  code: string,
): Promise<string> {
  return expectOutcome(await callApi(CALLS[purpose].exchange, { mobile, code })).sms_token;
}
