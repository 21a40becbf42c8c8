import { defineTexts } from '../../i18n/texts.ts';

/** Texts of the institute sign-in. */
export const instituteTexts = defineTexts('institute', {
  en: {
    lead: 'Use your institute’s account. Your first sign-in creates your account here.',
    named: 'Sign in with {{name}}',
    unnamed: 'Sign in with your institute’s account',
    username: 'User name',
    password: 'Password',
    passwordOf: 'Password of {{name}}',
    submit: 'Sign in',
    orPhone: 'or by text message',
    operatorOnly: 'This site is by invitation only. Ask an administrator for a link.',
  },
  zh: {
    lead: '请使用所在机构的账号登录，首次登录将自动创建本站账号。',
    named: '使用“{{name}}”登录',
    unnamed: '使用机构账号登录',
    username: '用户名',
    password: '密码',
    passwordOf: '“{{name}}”的密码',
    submit: '登录',
    orPhone: '或使用短信验证码登录',
    operatorOnly: '本站仅限受邀用户登录，请向管理员索取邀请链接。',
  },
});
