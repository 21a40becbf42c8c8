import { defineTexts } from '../../i18n/texts.ts';

export const openGasTexts = defineTexts('open-gas', {
  openTo: ['Open to', '向气体开放'],
  closed: ['no gas (closed)', '无（封闭）'],
  openSource: [
    'Ideal gas, NIST-JANAF; same zero point as the energies of the scale',
    '理想气体，NIST-JANAF，零点与所选能量基准相同',
  ],
  gasTemperature: ['Temperature (K)', '温度 (K)'],
  gasPressure: ['Partial pressure (bar)', '分压 (bar)'],
  gasPressureOf: ['p({{gas}}) (bar)', 'p({{gas}}) (bar)'],
  secondGas: ['and', '与'],
  noSecondGas: ['no second gas', '无第二种气体'],
  gasAt: ['{{gas}} ({{pressure}} bar)', '{{gas}}（{{pressure}} bar）'],
  gasTemperatureRange: ['{{min}} to {{max}} K', '{{min}} 至 {{max}} K'],
  gasPressureRange: ['Enter a number above 0.', '请输入大于 0 的数。'],
  phaseTemperature: ['Temperature of the phases:', '各相的温度：'],
  plain: ['none (plain energies)', '不计（原始能量）'],
  gibbsSource: ['Temperature from', '温度效应来源'],
  source_measured: ['measured table', '实测数据表'],
  source_descriptor: ['estimate', '估算'],
  source_gas: ['gas at 1 bar, measured', '1 bar 气体，实测'],
  source_element: ['element (zero)', '单质（零点）'],
  source_plain: ['none', '无'],
  gibbsError: ['Expected error ({{unit}})', '预期误差 ({{unit}})'],
  openUnit: ['eV per atom other than {{element}}', 'eV/非 {{element}} 原子'],
  gibbsNote: [
    'Gibbs energies at {{temperature}} K, relative to the elements at that temperature and 1 bar: energies of the scale, changed with temperature by measured tables (NIST-JANAF, FREED) or else by the estimate of Bartel et al. 2018 (± 0.05 eV/atom). Gases are at 1 bar.',
    '{{temperature}} K 的吉布斯自由能，以同温、1 bar 的单质为零点：在能量基准的数值上，温度效应取自实测数据表（NIST-JANAF、FREED），否则采用 Bartel 等 2018 年的估算（± 0.05 eV/atom）。气体为 1 bar。',
  ],
  gibbsUnknown: [
    'Left out, because no Gibbs energy is known at this temperature: {{formulas}} ({{count}}).',
    '以下 {{count}} 个化合物在此温度下没有已知的吉布斯自由能，未计入：{{formulas}}。',
  ],
  gibbsReplaced: ['Solid {{formulas}} is replaced by the gas.', '固态 {{formulas}} 由气体代替。'],
  ofPhase: ['{{formula}}: {{source}}', '{{formula}}：{{source}}'],
});
