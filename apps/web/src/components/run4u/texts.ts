import { defineTexts } from '../../i18n/texts.ts';

export const sentTexts = defineTexts('sent-to-run4u', {
  en: {
    sent_one: '{{count}} structure submitted; its result will stand beside its prediction.',
    sent_other: '{{count}} structures submitted; their results will stand beside their predictions.',
    full: 'The quota of today is used up after {{n}}.',
    existed_one: '{{count}} is in the database already.',
    existed_other: '{{count}} are in the database already.',
    refused: 'Not taken: {{reason}}',
    toRun4u: 'See them in Run4U',
  },
  zh: {
    sent_other: '已提交 {{count}} 个结构，结果将与预测值并列显示。',
    full: '提交 {{n}} 个后今日配额已用完。',
    existed_other: '{{count}} 个已在数据库中。',
    refused: '未被接受：{{reason}}',
    toRun4u: '在 Run4U 中查看',
  },
});
