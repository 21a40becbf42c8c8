/** Calls of the sign-in: codes by text message, login tokens, and second factors. */
import {
  bindGetSmsToken,
  bindRequestSm,
  getSecondFactor,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
} from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { answerTo, ApiError, apiQuery, callApi, expectOutcome, isRefusal } from '../../../lib/api-client.ts';
import { askForFactor } from '../third-party.ts';
import { solveProof } from '../proof-of-work.ts';
import { useToken } from '../../../lib/session.ts';

// Second factors: status, setup, removal, and completing a sign-in.

export function useSecondFactor() {
  const token = useToken();
  return useQuery({
    ...apiQuery({ call: getSecondFactor, body: undefined }, token),
    enabled: token !== null,
  });
}

/** Authorises setting up a factor: a confirmed phone, or the sign-in that requires it. */
export type Voucher = { readonly sms_token: string } | { readonly challenge: string };

/** Returns the key for an authenticator app. @throws ApiError */
export async function enrollFactor(voucher: Voucher): Promise<{ secret: string; uri: string }> {
  const { secret, uri } = await answerTo(secondFactorEnroll, voucher);
  return { secret, uri };
}

/** Activates the factor; `token` is set if this completes a sign-in. @throws ApiError */
export async function confirmFactor(voucher: Voucher, code: string) {
  const challenge = 'challenge' in voucher ? { challenge: voucher.challenge } : {};
  const answer = await answerTo(secondFactorConfirm, { code, ...challenge });
  return { recoveryCodes: answer.recovery_codes, token: answer.token ?? null };
}

/** Returns the token. @throws ApiError */
export async function verifyFactor(challenge: string, code: string): Promise<string> {
  return (await answerTo(secondFactorVerify, { challenge, code })).token;
}

/** @throws ApiError */
export async function disableFactor(code: string): Promise<void> {
  await answerTo(secondFactorDisable, { code });
}

// Requesting a code by the calls of spec §4.1, read as: a number without an account must register.

export type LoginMode = 'login' | 'register';

/**
 * Requests a code with any of the calls that send one, solving the proof of work first if the server requires it.
 * @throws ApiError
 */
export async function askForCode(
  call: typeof loginRequestSm | typeof registerRequestSm | typeof bindRequestSm,
  mobile: string,
) {
  const answer = await callApi(call, { mobile });
  if (!isRefusal(answer) || answer.code !== 'login.proof-needed' || !answer.proof)
    return expectOutcome(answer);
  return await answerTo(call, { mobile, proof: await solveProof(answer.proof) });
}

/** @throws ApiError with the server's message if no code was sent */
export async function requestCode(mobile: string): Promise<LoginMode> {
  const login = await askForCode(loginRequestSm, mobile);
  if (login.result !== 'invalid') return 'login';
  const register = await askForCode(registerRequestSm, mobile);
  if (register.result === 'invalid') throw new ApiError(200, register.message || login.message);
  return 'register';
}

const CALLS = {
  login: { exchange: loginGetSmsToken, check: loginCheckSm },
  register: { exchange: registerGetSmsToken, check: registerCheckSm },
} as const;

/** Returns the token, or null if a second factor is required, which the login popup then shows. @throws ApiError for a refused code */
export async function signIn(mode: LoginMode, mobile: string, code: string): Promise<string | null> {
  const { exchange, check } = CALLS[mode];
  const { sms_token: smsToken } = await answerTo(exchange, { mobile, code });
  const answer = await answerTo(check, { mobile, sms_token: smsToken });
  if (answer.second_factor) askForFactor(answer.second_factor);
  else if (answer.token === undefined) throw new ApiError(200, answer.message);
  return answer.token ?? null;
}

// Codes that confirm a phone, for a signed-in visitor or for an identity waiting to be bound.

const CONFIRM_CALLS = {
  /** The current number of an account. */
  login: { request: loginRequestSm, exchange: loginGetSmsToken },
  /** A new number, or confirmation of an action on the account. */
  bind: { request: bindRequestSm, exchange: bindGetSmsToken },
} as const;

type ConfirmPurpose = keyof typeof CONFIRM_CALLS;

/** @returns whether the number has an account. @throws ApiError with the server's message if no code was sent */
export async function requestConfirmation(purpose: ConfirmPurpose, mobile: string): Promise<boolean> {
  const answer = await askForCode(CONFIRM_CALLS[purpose].request, mobile);
  if (answer.result === 'invalid') throw new ApiError(200, answer.message);
  return answer.isregister === 1;
}

/** Returns the sms_token of a code. @throws ApiError */
export async function exchangeConfirmation(
  purpose: ConfirmPurpose,
  mobile: string,
  code: string,
): Promise<string> {
  return (await answerTo(CONFIRM_CALLS[purpose].exchange, { mobile, code })).sms_token;
}
