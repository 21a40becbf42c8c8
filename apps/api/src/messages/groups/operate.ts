/** Texts of the operator's page. */
import type { MessageTable } from '../message-table.ts';

export const operateMessages = {
  'operate.administrators-only': {
    en: 'This is for administrators of the site, signed in as such.',
    zh: '此页面仅供以管理员身份登录的本站管理人员使用。',
  },
  'operate.not-found': {
    en: 'There is no such entry any more; load the list again.',
    zh: '该条目已不存在，请刷新列表。',
  },
  'operate.yourself': {
    en: 'You cannot block or delete yourself; another administrator can.',
    zh: '不能封禁或删除自己的账号，请由其他管理员操作。',
  },
  'operate.other-administrator': {
    en: 'A link that signs in as another administrator is made on the command line only.',
    zh: '登录其他管理员账号的链接只能在命令行中生成。',
  },
  'operate.already-blocked': {
    en: 'Account {{id}} is blocked already.',
    zh: '账号 {{id}} 已被封禁。',
  },
  'operate.not-blocked': {
    en: 'Account {{id}} is not blocked.',
    zh: '账号 {{id}} 未被封禁。',
  },
  'operate.no-factor': {
    en: 'Account {{id}} has no second factor.',
    zh: '账号 {{id}} 没有启用两步验证。',
  },
  'operate.job-not-failed': {
    en: 'Only a failed job can be done again, and this one has not failed or is gone.',
    zh: '只有失败的任务可以重试，该任务未失败或已不存在。',
  },
  'operate.job-runs': {
    en: 'The job runs or is gone: only jobs that wait or have ended can be removed.',
    zh: '该任务正在运行或已不存在，只能移除等待中或已结束的任务。',
  },
  'operate.backup-time': {
    en: '"{{typed}}" is not a time: expected minute, hour, day, month and weekday as in cron, for example 15 2 * * * for every night at 02:15.',
    zh: '无法识别时间“{{typed}}”：应按 cron 格式依次填写分、时、日、月、星期，例如 15 2 * * * 表示每天凌晨 2:15。',
  },
  'operate.text-changed': {
    en: 'Somebody has changed this text since you opened it. Copy what you wrote, load the page again and put it in.',
    zh: '您打开之后已有人修改此内容。请先复制您的文字，刷新页面后再填入。',
  },
  'operate.text-invalid': {
    en: '{{place}} is not accepted: {{reason}}.',
    zh: '{{place}} 的内容有误：{{reason}}。',
  },
  'operate.text-too-long': {
    en: 'too long; at most {{limit}} are accepted',
    zh: '过长，上限为 {{limit}}',
  },
  'operate.text-format': {
    en: 'expected an https, mailto or site address, a mail address, or a small inline picture',
    zh: '应为 https、mailto 或本站地址，邮箱地址，或较小的内嵌图片',
  },
  'operate.text-shape': {
    en: 'a value is missing or of another kind',
    zh: '缺少数值或类型不符',
  },
  'account.last-administrator': {
    en: 'This is the last administrator who can sign in. Make somebody else an administrator first.',
    zh: '这是最后一位可以登录的管理员。请先将其他账号设为管理员。',
  },
} as const satisfies MessageTable;
