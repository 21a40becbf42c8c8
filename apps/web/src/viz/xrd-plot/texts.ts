import { defineTexts } from '../../i18n/texts.ts';

export const xrdPlotTexts = defineTexts('xrd-plot', {
  en: {
    x: '2θ (°)',
    y: 'Intensity (a. u.)',
    summary:
      'Calculated X-ray powder pattern of {{formula}} for a wavelength of {{wavelength}} Å and particles of {{size}} nm. Strongest reflections: {{strongest}}.',
    intensity: 'intensity',
  },
  zh: {
    x: '2θ (°)',
    y: '强度（任意单位）',
    summary:
      '{{formula}} 的计算 X 射线粉末衍射图谱，波长 {{wavelength}} Å，晶粒尺寸 {{size}} nm。最强衍射峰：{{strongest}}。',
    intensity: '强度',
  },
});
