import { describe, expect, it } from 'vitest';
import { systematicName } from './systematic-name.ts';

describe('systematicName', () => {
  it.each([
    ['Na2S', 'sodium sulfide (Na2S)', '硫化钠 (Na₂S)'],
    ['Li3BO3', 'lithium borate (Li3BO3)', '硼酸锂 (Li₃BO₃)'],
    ['K2SO4', 'potassium sulfate (K2SO4)', '硫酸钾 (K₂SO₄)'],
    ['Zn3(PO4)2', 'zinc phosphate (Zn3(PO4)2)', '磷酸锌 (Zn₃(PO₄)₂)'],
    ['NaTi2(PO4)3', 'sodium titanium phosphate (NaTi2(PO4)3)', '磷酸钛钠 (NaTi₂(PO₄)₃)'],
    ['LiTaO3', 'lithium tantalum oxide (LiTaO3)', '锂钽氧化物 (LiTaO₃)'],
    ['Al2Ca', 'calcium aluminium intermetallic (CaAl2)', '钙铝金属间化合物 (CaAl₂)'],
    ['CO2', 'carbon oxide (CO2)', '氧化碳 (CO₂)'],
  ])('%s', (formula, en, zh) => {
    expect(systematicName(formula)).toEqual({ en, zh });
  });
});
