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
import {
  changeInfor,
  changeMobile,
  deleteAccount,
  listSessions,
  revokeSession,
  uploadAvatar,
} from './profile.ts';
import {
  githubBind,
  githubLogin,
  githubRegister,
  githubUnbind,
  listProviders,
  wechatBind,
  wechatLogin,
  wechatRegister,
  wechatUnbind,
} from './third-party.ts';

export * from './fields.ts';
export * from './login.ts';
export * from './profile.ts';
export * from './third-party.ts';

export const accountCalls: readonly Call[] = [
  bindGetSmsToken,
  bindRequestSm,
  changeInfor,
  changeMobile,
  deleteAccount,
  getUserInfor,
  githubBind,
  githubLogin,
  githubRegister,
  githubUnbind,
  listProviders,
  listSessions,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  logout,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
  revokeSession,
  uploadAvatar,
  wechatBind,
  wechatLogin,
  wechatRegister,
  wechatUnbind,
];
