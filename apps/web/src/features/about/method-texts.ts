import { defineTexts } from '../../i18n/texts.ts';

export const methodTexts = defineTexts('methods', {
  en: {
    title: 'Methods',
    lead: 'How each number on the pages of this site comes about, and how to get it again from what the site exports.',
    recompute: 'To recompute it:',
    doc: 'In full, in the source of the site:',
  },
  zh: {
    title: '方法',
    lead: '本站各页面上每个数值的由来，以及如何由本站导出的数据重新得到它。',
    recompute: '如何重算：',
    doc: '全文见本站源代码：',
  },
});
