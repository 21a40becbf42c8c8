import { defineTexts } from '../../i18n/texts.ts';

export const openGasTexts = defineTexts('open-gas', {
  en: {
    openTo: 'Open to',
    closed: 'no gas (closed)',
    openSource: 'Ideal gas, NIST-JANAF; relative to the gas at 0 K',
    gasTemperature: 'Temperature (K)',
    gasPressure: 'Partial pressure (bar)',
    gasPressureOf: 'p({{gas}}) (bar)',
    secondGas: 'and',
    noSecondGas: 'no second gas',
    gasAt: '{{gas}} ({{pressure}} bar)',
    gasTemperatureRange: '{{min}} to {{max}} K',
    gasPressureRange: 'Enter a number above 0.',
  },
  zh: {
    openTo: '向气体开放',
    closed: '无（封闭）',
    openSource: '理想气体，NIST-JANAF，以 0 K 的该气体为零点',
    gasTemperature: '温度 (K)',
    gasPressure: '分压 (bar)',
    gasPressureOf: 'p({{gas}}) (bar)',
    secondGas: '与',
    noSecondGas: '无第二种气体',
    gasAt: '{{gas}}（{{pressure}} bar）',
    gasTemperatureRange: '{{min}} 至 {{max}} K',
    gasPressureRange: '请输入大于 0 的数。',
  },
});
