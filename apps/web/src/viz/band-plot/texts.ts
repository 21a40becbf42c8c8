import { defineTexts } from '../../i18n/texts.ts';

export const bandPlotTexts = defineTexts('band-plot', {
  en: {
    energy: 'E − E<sub>F</sub> (eV)',
    density: 'DOS (states/eV)',
    densityShort: 'DOS',
    band: 'band {{n}}',
    spinUp: 'spin up',
    spinDown: 'spin down',
    total: 'total',
    vbm: 'VBM',
    cbm: 'CBM',
    direct: 'direct',
    indirect: 'indirect',
    metal: 'metallic along this path: bands cross the Fermi level',
    gapName: 'Band gap',
    gap: 'gap along this path {{width}} eV, {{kind}}, from {{from}} to {{to}}',
    summary:
      '{{functional}} band structure of {{formula}} along {{path}}, beside the density of states, energies relative to the Fermi level: {{gap}}.',
    hint: 'Drag to zoom, double-click to reset. Hover over a band to mark its k-point in the Brillouin zone.',
    densityCsv: 'DOS as CSV',
  },
  zh: {
    energy: 'E − E<sub>F</sub> (eV)',
    density: '态密度 (states/eV)',
    densityShort: '态密度',
    band: '第 {{n}} 条能带',
    spinUp: '自旋向上',
    spinDown: '自旋向下',
    total: '总态密度',
    vbm: '价带顶',
    cbm: '导带底',
    direct: '直接',
    indirect: '间接',
    metal: '沿此路径为金属性：有能带穿过费米能级',
    gapName: '带隙',
    gap: '沿此路径带隙 {{width}} eV，{{kind}}，由 {{from}} 到 {{to}}',
    summary:
      '{{formula}} 的 {{functional}} 能带结构（路径 {{path}}）与态密度，能量以费米能级为零点：{{gap}}。',
    hint: '拖动放大，双击复原。指向能带时，布里渊区中会标出对应的 k 点。',
    densityCsv: '态密度 CSV',
  },
});
