/** Second factors: what the account has, setting one up, taking it off, and ending a sign-in with it. */
import {
  getSecondFactor,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
} from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { useToken } from '../../../lib/session.ts';

export const SECOND_FACTOR_KEY = ['account', 'second-factor'];

export function useSecondFactor() {
  const token = useToken();
  return useQuery({
    queryKey: [...SECOND_FACTOR_KEY, token],
    enabled: token !== null,
    queryFn: ({ signal }) => callApi(getSecondFactor, undefined, { signal }),
  });
}

/** What vouches for who sets a factor up: a confirmed phone, or the sign-in that demands it. */
export type Voucher = { readonly sms_token: string } | { readonly challenge: string };

/** The key for an authenticator app. @throws ApiError */
export async function enrollFactor(voucher: Voucher): Promise<{ secret: string; uri: string }> {
  const { secret, uri } = expectOutcome(await callApi(secondFactorEnroll, voucher));
  return { secret, uri };
}

/** Puts it in force; `token` comes where a sign-in ended with it. @throws ApiError */
export async function confirmFactor(voucher: Voucher, code: string) {
  const challenge = 'challenge' in voucher ? { challenge: voucher.challenge } : {};
  const answer = expectOutcome(await callApi(secondFactorConfirm, { code, ...challenge }));
  return { recoveryCodes: answer.recovery_codes, token: answer.token ?? null };
}

/** The token. @throws ApiError */
export async function verifyFactor(challenge: string, code: string): Promise<string> {
  return expectOutcome(await callApi(secondFactorVerify, { challenge, code })).token;
}

/** @throws ApiError */
export async function disableFactor(code: string): Promise<void> {
  expectOutcome(await callApi(secondFactorDisable, { code }));
}
