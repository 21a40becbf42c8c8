/** Asks for a code by the calls of spec §4.1, reading A: an unknown number is asked to register instead. */
import { loginRequestSm, registerRequestSm } from '@unitcell/contract';
import { ApiError, callApi, expectOutcome } from '../../../lib/api-client.ts';

export type LoginMode = 'login' | 'register';

/** @throws ApiError with the server's sentence when no code was sent. */
export async function requestCode(mobile: string): Promise<LoginMode> {
  const login = expectOutcome(await callApi(loginRequestSm, { mobile }));
  if (login.result !== 'invalid') return 'login';
  const register = expectOutcome(await callApi(registerRequestSm, { mobile }));
  if (register.result === 'invalid') throw new ApiError(200, register.message || login.message);
  return 'register';
}
