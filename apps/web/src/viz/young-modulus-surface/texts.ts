import { defineTexts } from '../../i18n/texts.ts';

export const modulusTexts = defineTexts('young-modulus', {
  en: {
    summary:
      "Directional Young's modulus of {{formula}}: from {{min}} GPa along {{minDirection}} to {{max}} GPa along {{maxDirection}}, Cartesian directions.",
    unit: 'E (GPa)',
    along: 'along {{direction}}',
  },
  zh: {
    summary:
      '{{formula}} 的方向杨氏模量：沿 {{minDirection}} 最小，{{min}} GPa；沿 {{maxDirection}} 最大，{{max}} GPa（笛卡尔方向）。',
    unit: 'E (GPa)',
    along: '沿 {{direction}}',
  },
});
