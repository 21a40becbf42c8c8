import { defineTexts } from '../../i18n/texts.ts';

export const helpTexts = defineTexts('help', {
  en: {
    title: 'News and keyboard shortcuts',
    closeSheet: 'Close',
    news: 'What is new',
    keys: 'Keyboard shortcuts',
    palette: 'Find a material or page',
    search: 'Go to the search box',
    help: 'Open this sheet',
    rows: 'Move between the rows of a table',
    elements: 'Move in the periodic table; Enter selects',
    viewer: 'Turn, zoom and reset the crystal',
    close: 'Close a dialog',
  },
  zh: {
    title: '新功能与快捷键',
    closeSheet: '关闭',
    news: '新功能',
    keys: '快捷键',
    palette: '查找材料或页面',
    search: '转到检索框',
    help: '打开本页',
    rows: '在表格各行间移动',
    elements: '在周期表中移动，按 Enter 选择',
    viewer: '旋转、缩放、复位晶体',
    close: '关闭对话框',
  },
});
