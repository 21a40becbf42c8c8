import { defineTexts } from '../../i18n/texts.ts';

export const matdataTexts = defineTexts('matdata', {
  en: {
    title: 'Materials search',
    lead: 'Inorganic crystals by the elements they are made of, by formula, or by their number.',
    found_one: '{{n}} Entry found for ',
    found_other: '{{n}} Entries found for ',
    andOthers: '(at least these elements)',
    resultsLabel: 'Search results',
    results: 'Results',
    idle: 'Pick elements in the table or type above.',
    searching: 'Searching…',
  },
  zh: {
    title: '材料检索',
    lead: '按组成元素、化学式或编号检索无机晶体。',
    found_other: '共找到 {{n}} 条记录：',
    andOthers: '（至少含这些元素）',
    resultsLabel: '检索结果',
    results: '结果',
    idle: '在周期表中选择元素，或在上方输入。',
    searching: '正在检索…',
  },
});
