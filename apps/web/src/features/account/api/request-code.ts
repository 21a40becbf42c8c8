/** Asks for a code by the calls of spec §4.1, reading A: an unknown number is asked to register instead. */
import { loginRequestSm, registerRequestSm } from '@unitcell/contract';
import { ApiError, callApi, expectOutcome, isRefusal } from '../../../lib/api-client.ts';
import { solveProof } from '../proof-of-work.ts';

export type LoginMode = 'login' | 'register';

/**
 * Asks for a code, by any of the calls that send one; a proof of work the server wants first is made on the way.
 * @throws ApiError
 */
export async function askForCode(call: typeof loginRequestSm, mobile: string) {
  const answer = await callApi(call, { mobile });
  if (!isRefusal(answer) || answer.code !== 'login.proof-needed' || !answer.proof)
    return expectOutcome(answer);
  return expectOutcome(await callApi(call, { mobile, proof: await solveProof(answer.proof) }));
}

/** @throws ApiError with the server's sentence when no code was sent. */
export async function requestCode(mobile: string): Promise<LoginMode> {
  const login = await askForCode(loginRequestSm, mobile);
  if (login.result !== 'invalid') return 'login';
  const register = await askForCode(registerRequestSm, mobile);
  if (register.result === 'invalid') throw new ApiError(200, register.message || login.message);
  return 'register';
}
