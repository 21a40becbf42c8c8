/** A symbol with what it means: on pointing, on focus and on touch (spec §2.8, hint tooltips). */
import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './tensor-section.module.css';

interface TensorHintProps {
  readonly symbol: ReactNode;
  readonly meaning: string;
}

export const TensorHint = ({ symbol, meaning }: TensorHintProps) => (
  <Tooltip
    label={meaning}
    multiline
    w={260}
    withArrow
    events={{ hover: true, focus: true, touch: true }}
    withinPortal={false}
  >
    <button type="button" className={classes.hint}>
      {symbol}
      <span className={classes.hintText}>: {meaning}</span>
    </button>
  </Tooltip>
);

/** `K` with a small letter below. */
export const Symbol = ({ base, index }: { readonly base: string; readonly index?: string }) => (
  <>
    <i>{base}</i>
    {index && <sub>{index}</sub>}
  </>
);
