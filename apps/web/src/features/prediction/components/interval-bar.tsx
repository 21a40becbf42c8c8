/** A value and its interval on a scale from zero that values of a kind share. */
import type { PredictedInterval } from '@unitcell/contract';
import { formatNumber } from '../../../lib/format.ts';
import { placeOf, ticksFromZero } from '../../../viz/scatter/scales.ts';
import classes from './prediction.module.css';

interface IntervalBarProps {
  readonly interval: PredictedInterval;
  /** All that are read on this scale, this one among them. */
  readonly kind: readonly PredictedInterval[];
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
const tickText = (tick: number): string =>
  formatNumber(tick, { decimals: Math.abs(tick) < 10 && !Number.isInteger(tick) ? 1 : 0 });

/** The words beside it say the same. */
export function IntervalBar({ interval: { value, low, high }, kind }: IntervalBarProps) {
  const ticks = ticksFromZero(kind.flatMap((each) => [each.low, each.high]));
  const [from = 0, to = 1] = [ticks[0], ticks.at(-1)];
  const at = (x: number): number => placeOf({ from, to }, x);
  return (
    <span className={classes.bar} aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} className={classes.tick} style={{ insetInlineStart: percent(at(tick)) }}>
          {tickText(tick)}
        </span>
      ))}
      <span
        className={classes.range}
        style={{ insetInlineStart: percent(at(low)), inlineSize: percent(at(high) - at(low)) }}
      />
      <span className={classes.dot} style={{ insetInlineStart: percent(at(value)) }} />
    </span>
  );
}
