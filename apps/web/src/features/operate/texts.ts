import { defineTexts } from '../../i18n/texts.ts';

/** Texts of the page frame and those shared by all panels. */
export const operateTexts = defineTexts('operate', {
  title: ['Admin', '管理后台'],
  lead: [
    'Site status, users and jobs. Every action is recorded in the audit log; all are also available on the command line.',
    '本站各部分的状态、账号与任务。此处的每项操作都会连同您的账号写入审计日志，也都可以用命令完成。',
  ],
  sections: ['Sections of the admin page', '管理后台的各部分'],
  health: ['Health', '运行状态'],
  people: ['Users', '账号'],
  submissions: ['Submissions', '提交与计算'],
  reports: ['Reports', '问题报告'],
  imports: ['Imports and releases', '导入与数据版本'],
  queue: ['Queue', '任务队列'],
  texts: ['Texts', '页面文字'],
  keys: ['API keys', 'API 密钥'],
  budgets: ['Limits', '限额'],
  storage: ['Storage', '存储'],
  backups: ['Backups', '备份'],
  audit: ['Audit log', '审计日志'],
  close: ['Close', '关闭'],
  back: ['Back', '返回'],
  save: ['Save', '保存'],
  more: ['Older', '更早的'],
  newest: ['Newest', '最新的'],
  all: ['All', '全部'],
  actions: ['Actions', '可执行的操作'],
  never: ['never', '从未'],
});
