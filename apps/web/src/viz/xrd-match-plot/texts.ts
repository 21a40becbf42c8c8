import { defineTexts } from '../../i18n/texts.ts';

export const matchPlotTexts = defineTexts('xrd-match-plot', {
  en: {
    x: '2θ (°)',
    y: 'Intensity (a. u.)',
    measured: 'Measured',
    before: 'Before',
    rest: 'Remaining',
    difference: 'Difference',
    unexplained: 'Unexplained',
    summaryMeasured:
      'Measured powder pattern with {{n}} points from {{from}}° to {{to}}° 2θ. Highest point at {{highest}}°.',
    summaryReference:
      'Overlaid: the calculated pattern of {{name}}; strongest reflections {{strongest}}. The curve below is the difference.',
    summaryUnexplained: '{{n}} measured peaks are unexplained: {{peaks}}.',
  },
  zh: {
    x: '2θ (°)',
    y: '强度（任意单位）',
    measured: '实测',
    before: '处理前',
    rest: '剩余部分',
    difference: '差值',
    unexplained: '未归属',
    summaryMeasured: '实测粉末衍射图谱，共 {{n}} 个点，2θ 从 {{from}}° 到 {{to}}°。最高点位于 {{highest}}°。',
    summaryReference: '叠加了 {{name}} 的计算图谱，最强衍射峰：{{strongest}}。下方曲线为差值。',
    summaryUnexplained: '有 {{n}} 个实测峰未得到归属：{{peaks}}。',
  },
});
