/** The calls of account. */
import type { Call } from '../define-call.ts';
import { createApiKey, getKey, listApiKeys, revokeApiKey } from './api-keys.ts';
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
  getSecondFactor,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
} from './second-factor.ts';
import {
  githubBind,
  githubLogin,
  githubRegister,
  githubUnbind,
  inviteLogin,
  ldapLogin,
  listProviders,
  oidcLogin,
  wechatBind,
  wechatLogin,
  wechatRegister,
  wechatUnbind,
} from './third-party.ts';

export * from './api-keys.ts';
export * from './fields.ts';
export * from './third-party.ts';
export * from './login.ts';
export * from './profile.ts';
export * from './proof-of-work.ts';
export * from './second-factor.ts';
export * from './rules.ts';

export const accountCalls: readonly Call[] = [
  bindGetSmsToken,
  bindRequestSm,
  changeInfor,
  changeMobile,
  createApiKey,
  deleteAccount,
  getKey,
  getSecondFactor,
  getUserInfor,
  githubBind,
  githubLogin,
  githubRegister,
  githubUnbind,
  inviteLogin,
  ldapLogin,
  listApiKeys,
  listProviders,
  listSessions,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  logout,
  oidcLogin,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
  revokeApiKey,
  revokeSession,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
  uploadAvatar,
  wechatBind,
  wechatLogin,
  wechatRegister,
  wechatUnbind,
];
