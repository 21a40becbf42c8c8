import { defineTexts } from '../../i18n/texts.ts';

export const refinePlotTexts = defineTexts('xrd-refine-plot', {
  en: {
    x: '2θ (°)',
    y: 'Intensity',
    measured: 'Measured',
    calculated: 'Calculated',
    background: 'Background',
    difference: 'Difference',
    summary:
      'Refined powder pattern with {{n}} points from {{from}}° to {{to}}° 2θ and {{phases}}. Rwp is {{rwp}} %. The curve below is measured minus calculated.',
    summaryExcluded: 'Not counted: {{regions}}.',
  },
  zh: {
    x: '2θ (°)',
    y: '强度',
    measured: '实测',
    calculated: '计算',
    background: '背底',
    difference: '差值',
    summary:
      '精修后的粉末衍射图谱，共 {{n}} 个点，2θ 从 {{from}}° 到 {{to}}°，物相：{{phases}}。Rwp 为 {{rwp}} %。下方曲线为实测减计算。',
    summaryExcluded: '未计入：{{regions}}。',
  },
});
