/** The calls of account. */
import type { Call } from '../define-call.ts';
import {
  bindGetSmsToken,
  bindRequestSm,
  getUserInfor,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  logout,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
} from './login.ts';

export * from './fields.ts';
export * from './login.ts';

export const accountCalls: readonly Call[] = [
  bindGetSmsToken,
  bindRequestSm,
  getUserInfor,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  logout,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
];
