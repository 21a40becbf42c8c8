import { defineTexts } from '../../../i18n/texts.ts';

export const compareTexts = defineTexts('matdata-compare', {
  title: ['Compare materials', '材料对比'],
  lead: [
    'Two to six materials side by side: numbers with their sources, crystals, powder patterns and bands.',
    '并排对比二至六个材料：带来源的数值、晶体结构、粉末衍射图谱与能带。',
  ],
  back: ['Search materials', '检索材料'],
  add: ['Add a material by ID', '按编号添加材料'],
  addButton: ['Add', '添加'],
  full: ['At most six materials.', '最多对比六个材料。'],
  few: [
    'Select at least two materials: tick rows in a search and press Compare, or add one by ID.',
    '请至少选择两个材料：在检索结果中勾选后点击“对比”，或按编号添加。',
  ],
  remove: ['Remove {{name}}', '移除 {{name}}'],
  quantity: ['Quantity', '物理量'],
  onlyDiffering: ['Only rows that differ', '仅显示有差异的行'],
  differs: ['differs', '有差异'],
  scale: [
    'Energies: {{scale}}. Energies on other scales are not shown.',
    '能量基准：{{scale}}。其他基准的能量不显示。',
  ],
  table: ['Comparison of {{names}}', '{{names}} 的对比'],
  crystals: ['Crystals', '晶体结构'],
  patterns: ['Powder patterns', '粉末衍射图谱'],
  patternsLead: [
    'Cu Kα, offset vertically, each scaled to its strongest peak.',
    'Cu Kα，上下错开排列，各按最强峰归一。',
  ],
  bands: ['Band structures', '能带结构'],
  noBands: ['None of these materials has a band structure.', '这些材料都没有能带结构。'],
  loading: ['Loading the materials…', '正在载入材料'],
  gone: ['There is no material {{id}}.', '没有材料 {{id}}。'],
  volume: ['Volume (conventional cell)', '体积（惯用晶胞）'],
  young: ['Young’s modulus', '杨氏模量'],
  poisson: ['Poisson’s ratio', '泊松比'],
  refractive: ['Refractive index', '折射率'],
  patternSummary: [
    'Calculated powder patterns of {{names}}, 2θ from 10° to 70°.',
    '{{names}} 的计算粉末衍射图谱，2θ 自 10 至 70 度。',
  ],
  twoTheta: ['2θ (°)', '2θ (°)'],
  intensity: ['Intensity (offset)', '强度（错开）'],
  compareThis: ['Compare', '对比'],
  csv: ['Table as CSV', '表格 CSV'],
});
