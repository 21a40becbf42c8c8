import { Slider } from '@mantine/core';
import { roundTo } from '@unitcell/numerics';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import type { Range } from '../link-state.ts';
import classes from '../tight-binding.module.css';

interface LabelledSliderProps {
  /** Accessible name. */
  readonly name: string;
  readonly label?: ReactNode;
  readonly value: number;
  readonly range: Range;
  readonly text?: string;
  readonly isDisabled?: boolean;
  readonly onChange: (value: number) => void;
}

export function LabelledSlider(props: LabelledSliderProps) {
  const { name, label, value, range, text, isDisabled, onChange } = props;
  const decimals = Number.isInteger(range.step) ? 0 : 1;
  return (
    <div className={`uc-stack ${classes.slider}`}>
      <span className={`uc-line uc-note ${classes.name}`}>{label ?? name}</span>
      <Slider
        size="sm"
        min={range.min}
        max={range.max}
        step={range.step}
        value={value}
        label={null}
        disabled={isDisabled ?? false}
        thumbLabel={name}
        // Adding steps of 0.1 gives 0.30000000000000004.
        onChange={(next) => onChange(roundTo(next, 6))}
      />
      <output className={classes.value}>{text ?? formatNumber(value, { decimals })}</output>
    </div>
  );
}
