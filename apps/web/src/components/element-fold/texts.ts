import { defineTexts } from '../../i18n/texts.ts';

export const elementFoldTexts = defineTexts('element-fold', {
  en: {
    elements: 'Elements',
    none: 'any elements',
    open: 'Choose elements',
    close: 'Hide the table',
  },
  zh: {
    elements: '元素',
    none: '不限元素',
    open: '选择元素',
    close: '收起周期表',
  },
});
