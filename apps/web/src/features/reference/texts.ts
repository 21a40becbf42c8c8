import { defineTexts } from '../../i18n/texts.ts';

export const referenceTexts = defineTexts('reference', {
  en: {
    title: 'API reference',
    lead: 'Every call of this site: what it takes, what it answers, in which units, and why it may refuse. The text of the calls is in English.',
    document: 'OpenAPI document',
    loading: 'Loading the reference…',
  },
  zh: {
    title: 'API 参考文档',
    lead: '本站的全部接口：参数、返回值、单位及各种拒绝原因。接口说明为英文。',
    document: 'OpenAPI 文档',
    loading: '正在加载参考文档…',
  },
});
