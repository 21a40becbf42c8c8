import { defineTexts } from '../../i18n/texts.ts';

export const energyScaleTexts = defineTexts('energy-scale', {
  en: {
    label: 'Energy scale',
    materials: '{{scale}} · {{n}} materials',
    experiment: 'experiment, {{kelvin}} K',
    released: '{{scale}} · release {{id}} ({{date}})',
  },
  zh: {
    label: '能量基准',
    materials: '{{scale}} · {{n}} 个材料',
    experiment: '实验，{{kelvin}} K',
    released: '{{scale}} · 版本 {{id}}（{{date}}）',
  },
});
