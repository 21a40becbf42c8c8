/**
 * A number to so many decimals, never −0: for tables and answers, where `toFixed` is wanted as a number.
 * @example roundTo(-0.0004, 3) // 0
 */
export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;
