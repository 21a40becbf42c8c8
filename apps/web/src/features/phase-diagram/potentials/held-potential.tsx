/** The potential of the element that is on no axis and that the compound does not settle. */
import { Slider } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import classes from './potentials.module.css';
import type { Range } from './region-of.ts';
import { potentialTexts } from './texts.ts';

interface HeldPotentialProps {
  readonly element: string;
  /** eV/atom */
  readonly range: Range;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

export function HeldPotential({ element, range, value, onChange }: HeldPotentialProps) {
  const { t } = useTexts(potentialTexts);
  return (
    <div className={classes.held}>
      <span className={classes.heldText} id="held-potential">
        {t('held', { element })} <strong>{t('unit', { value: formatNumber(value, { decimals: 2 }) })}</strong>
      </span>
      {/* A region without extent has one potential only. */}
      {range.max > range.min && (
        <Slider
          aria-labelledby="held-potential"
          thumbLabel={t('held', { element })}
          min={range.min}
          max={range.max}
          step={(range.max - range.min) / 200}
          value={value}
          label={(now) => formatNumber(now, { decimals: 2 })}
          onChange={onChange}
        />
      )}
    </div>
  );
}
