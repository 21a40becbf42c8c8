/** A number in tabular figures: '0' for zero, '-' for none. In columns a zero keeps the place of its decimals, so that the points align. */
import { formatNumber, type NumberFormat } from '../lib/format.ts';

interface NumberTextProps extends NumberFormat {
  readonly value: number | null | undefined;
}

export const NumberText = ({ value, decimals = 3 }: NumberTextProps) => (
  <span data-decimals={value === 0 && decimals > 0 ? `.${'0'.repeat(decimals)}` : undefined}>
    {formatNumber(value, { decimals })}
  </span>
);
