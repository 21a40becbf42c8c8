/** A number in tabular figures: '0' for zero, '-' for a missing value. In columns zero is padded to align decimal points. */
import { formatNumber, type NumberFormat } from '../lib/format.ts';

interface NumberTextProps extends NumberFormat {
  readonly value: number | null | undefined;
}

export const NumberText = ({ value, decimals = 3 }: NumberTextProps) => (
  <span data-decimals={value === 0 && decimals > 0 ? `.${'0'.repeat(decimals)}` : undefined}>
    {formatNumber(value, { decimals })}
  </span>
);
