/** Texts of the account calls. */
import type { MessageTable } from '../message-table.ts';

export const accountMessages = {
  'login.code-sent': {
    en: 'The code has been sent.',
    zh: '验证码已发送。',
  },
  'login.not-registered': {
    en: 'This number has no account yet.',
    zh: '该手机号尚未注册。',
  },
  'login.already-registered': {
    en: 'This number already has an account.',
    zh: '该手机号已注册。',
  },
  'login.wrong-code': {
    en: 'The code is wrong or has expired. Please request a new one.',
    zh: '验证码错误或已过期，请重新获取。',
  },
  'login.wrong-token': {
    en: 'The confirmation has expired. Please request a new code.',
    zh: '验证已过期，请重新获取验证码。',
  },
  'login.too-soon': {
    en: 'A code was sent a moment ago. Please wait {{seconds}} seconds before asking for another.',
    zh: '刚刚已发送过验证码，请在 {{seconds}} 秒后再试。',
  },
  'login.too-many-codes': {
    en: 'Too many codes were requested. Please try again in {{minutes}} minutes.',
    zh: '验证码请求次数过多，请在 {{minutes}} 分钟后再试。',
  },
  'login.delivery-failed': {
    en: 'The text message could not be sent. Please try again later; this attempt does not count.',
    zh: '短信发送失败，请稍后再试；本次不计入次数。',
  },
  'login.other-number': {
    en: 'This code belongs to another number.',
    zh: '该验证码属于另一个手机号。',
  },
} as const satisfies MessageTable;
