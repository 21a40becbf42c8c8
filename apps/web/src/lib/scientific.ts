/** Very small and very large numbers as powers of ten. */
const SIGNS = '-0123456789';
const SUPERSCRIPTS = '⁻⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * A number in scientific notation that breaks no line, with all its digits.
 * @example scientificText(2e-15) // '2 × 10⁻¹⁵'
 * @example scientificText(1e-6) // '10⁻⁶'
 */
export function scientificText(value: number): string {
  const [factor, power = ''] = value.toExponential().replace('+', '').split('e');
  const ten = `10${power.replaceAll(/./g, (sign) => SUPERSCRIPTS[SIGNS.indexOf(sign)] ?? '')}`;
  return factor === '1' ? ten : `${factor}\u00a0×\u00a0${ten}`;
}
