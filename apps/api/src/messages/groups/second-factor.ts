/** Texts about second factors. */
import type { MessageTable } from '../message-table.ts';

export const secondFactorMessages = {
  'second-factor.wrong-code': {
    en: 'This code is wrong or was used already. Enter the one your authenticator app shows now, or a recovery code.',
    zh: '验证码错误或已使用过，请输入验证器应用当前显示的验证码，或使用恢复码。',
  },
  'second-factor.expired': {
    en: 'This sign-in has expired or had too many wrong codes. Please sign in again.',
    zh: '本次登录已过期，或错误次数过多，请重新登录。',
  },
  'second-factor.too-many': {
    en: 'Too many codes were tried for this account. Please try again in {{minutes}} minutes.',
    zh: '该账号尝试验证码次数过多，请在 {{minutes}} 分钟后再试。',
  },
  'second-factor.already': {
    en: 'This account has a second factor already. Take it off first to set up another.',
    zh: '该账号已启用两步验证，如需更换请先关闭。',
  },
  'second-factor.demanded': {
    en: 'The operator of this site requires a second factor for your account; it cannot be taken off.',
    zh: '本站运营者要求您的账号使用两步验证，无法关闭。',
  },
  'second-factor.unreadable': {
    en: 'The second factor of this account can no longer be checked. Please ask the operator to reset it.',
    zh: '该账号的两步验证已无法校验，请联系运营者重置。',
  },
} as const satisfies MessageTable;
