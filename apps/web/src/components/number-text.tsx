/** A number in tabular figures: '0' for zero, '-' for none. */
import { formatNumber, type NumberFormat } from '../lib/format.ts';

interface NumberTextProps extends NumberFormat {
  readonly value: number | null | undefined;
}

export const NumberText = ({ value, ...format }: NumberTextProps) => (
  <span>{formatNumber(value, format)}</span>
);
