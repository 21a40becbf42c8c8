import { defineTexts } from '../../../i18n/texts.ts';

export const potentialTexts = defineTexts('chemical-potentials', {
  title: ['Chemical potentials', '化学势'],
  lead: [
    'Range of chemical potentials in which a compound is stable, for calculations of defects, surfaces and doping.',
    '化合物稳定存在的化学势范围，用于缺陷、表面与掺杂计算。',
  ],
  compound: ['Stable compound', '稳定化合物'],
  choose: ['Choose a compound', '选择化合物'],
  axes: ['Axes', '坐标轴'],
  axesOf: ['{{x}} and {{y}}', '{{x}} 与 {{y}}'],
  held: ['Δμ({{element}}) fixed at', 'Δμ({{element}}) 固定为'],
  unit: ['{{value}} eV/atom', '{{value}} eV/atom'],
  gas: ['Mark a gas', '标记气体'],
  noGas: ['none', '无'],
  gasUndetermined: [
    'These gases do not fix the potential of each of their elements. Combine as many gases as they have elements, such as H₂O with H₂.',
    '这些气体无法确定其中每种元素的化学势。气体种数须与所含元素数相同，例如 H₂O 与 H₂。',
  ],
  gasInside: [
    'Δμ({{element}}) is {{value}} eV in the gas: inside the region ({{from}} to {{to}} eV).',
    '气体中 Δμ({{element}}) 为 {{value}} eV：位于稳定区域内（{{from}} 至 {{to}} eV）。',
  ],
  gasAbove: [
    'Δμ({{element}}) is {{value}} eV in the gas: too high, {{formula}} is stable up to {{to}} eV.',
    '气体中 Δμ({{element}}) 为 {{value}} eV，过高：{{formula}} 稳定要求 ≤ {{to}} eV。',
  ],
  gasBelow: [
    'Δμ({{element}}) is {{value}} eV in the gas: too low, {{formula}} is stable from {{from}} eV.',
    '气体中 Δμ({{element}}) 为 {{value}} eV，过低：{{formula}} 稳定要求 ≥ {{from}} eV。',
  ],
  gasPart: ['{{gas}} ({{pressure}} bar)', '{{gas}}（{{pressure}} bar）'],
  gasLine: ['{{mixture}}, {{temperature}} K', '{{mixture}}，{{temperature}} K'],
  axis: ['Δμ({{element}}) (eV/atom)', 'Δμ({{element}}) (eV/atom)'],
  beside: ['{{formula}} limit', '与 {{formula}} 共存'],
  goesOn: ['unbounded', '无界'],
  missed: ['Not stable at this Δμ({{element}}).', '在 {{element}} 的此化学势下没有稳定区域。'],
  loading: ['Calculating the region…', '正在计算稳定区域…'],
  corners: ['Corners of the region', '稳定区域的顶点'],
  inEquilibrium: ['In equilibrium with', '共存相'],
  zero: [
    'Δμ is relative to the pure element (0 = in equilibrium with it).',
    'Δμ 以单质为参考（0 表示与单质平衡）。',
  ],
  summary: [
    'Chemical potentials of {{elements}} at which {{formula}} is stable: {{count}} corners, limited by {{limits}}. Scale {{scale}}.',
    '{{formula}} 稳定时 {{elements}} 的化学势：{{count}} 个顶点，受 {{limits}} 限制。能量基准 {{scale}}。',
  ],
});
