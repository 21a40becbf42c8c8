import { defineTexts } from '../../i18n/texts.ts';

/** Texts of the institute sign-in. */
export const instituteTexts = defineTexts('institute', {
  lead: [
    'Use your institute’s account. Your first sign-in creates your account here.',
    '请使用所在机构的账号登录，首次登录将自动创建本站账号。',
  ],
  named: ['Sign in with {{name}}', '使用“{{name}}”登录'],
  unnamed: ['Sign in with your institute’s account', '使用机构账号登录'],
  username: ['User name', '用户名'],
  password: ['Password', '密码'],
  passwordOf: ['Password of {{name}}', '“{{name}}”的密码'],
  submit: ['Sign in', '登录'],
  orPhone: ['or by text message', '或使用短信验证码登录'],
  operatorOnly: [
    'This site is by invitation only. Ask an administrator for a link.',
    '本站仅限受邀用户登录，请向管理员索取邀请链接。',
  ],
});
