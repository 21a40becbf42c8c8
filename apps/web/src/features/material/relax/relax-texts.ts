import { defineTexts } from '../../../i18n/texts.ts';

export const relaxTexts = defineTexts('relax', {
  en: {
    relax: 'Relax here',
    noDisordered: 'No relaxing here: sites are shared by elements or partly vacant.',
    noElement: 'No relaxing here: the potential has no weights for {{element}}.',
    noSize: 'No relaxing here: the conventional cell has {{atoms}} atoms, more than {{limit}}.',
  },
  zh: {
    relax: '在此弛豫',
    noDisordered: '无法在此弛豫：有位置由多种元素共占或部分空缺。',
    noElement: '无法在此弛豫：该势函数没有 {{element}} 的参数。',
    noSize: '无法在此弛豫：惯用晶胞有 {{atoms}} 个原子，超过 {{limit}} 个。',
  },
});
