/** Texts of keys members make. */
import type { MessageTable } from '../message-table.ts';

export const keyMessages = {
  'key.not-offered': {
    en: 'On this site keys are given out by the operator; please ask them for one.',
    zh: '本站的 API 密钥由运营者发放，请联系运营者申请。',
  },
  'key.scope': {
    en: 'A key cannot have the scope "{{scope}}". Choose among: {{offered}}.',
    zh: '“{{scope}}”不是有效的密钥权限，可选：{{offered}}。',
  },
  'key.too-many': {
    en: 'You have {{limit}} active keys, which is the most. Revoke one that you no longer use.',
    zh: '您已有 {{limit}} 个有效密钥，达到上限。请先撤销不再使用的密钥。',
  },
  'key.not-found': {
    en: 'There is no active key with this number in your account.',
    zh: '您的账号中没有该编号的有效密钥。',
  },
  'key.none': {
    en: 'This call is for API keys; you called with a sign-in. Your keys are listed on your account page.',
    zh: '该接口供 API 密钥查询自身信息，而此次请求使用的是登录令牌。密钥列表见个人中心。',
  },
} as const satisfies MessageTable;
