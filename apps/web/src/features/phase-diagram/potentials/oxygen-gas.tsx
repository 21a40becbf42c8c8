/** Temperature and pressure of O2 gas; the drawing marks the corresponding chemical potential. */
import { NumberInput } from '@mantine/core';
import { TEMPERATURE_LIMITS } from '@unitcell/phase-equilibria';
import { formulaText } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import classes from '../phase-diagram.module.css';
import type { Range } from './region-of.ts';
import { potentialTexts } from './texts.ts';

/** As typed. */
export interface Gas {
  readonly temperature: number | string;
  readonly pressure: number | string;
}

/** Default: a furnace in air. */
export const AIR: Gas = { temperature: 1000, pressure: 0.21 };

/** K and bar; null if the input is invalid. */
export function readGas({ temperature, pressure }: Gas): { temperature: number; pressure: number } | null {
  const [kelvin, bar] = [Number(temperature), Number(pressure)];
  const { min, max } = TEMPERATURE_LIMITS;
  const isPossible = temperature !== '' && pressure !== '' && kelvin >= min && kelvin <= max && bar > 0;
  return isPossible ? { temperature: kelvin, pressure: bar } : null;
}

export function OxygenGas({ gas, onChange }: { readonly gas: Gas; readonly onChange: (gas: Gas) => void }) {
  const { t } = useTexts(potentialTexts);
  const { min, max } = TEMPERATURE_LIMITS;
  const isPossible = readGas(gas) !== null;
  return (
    <fieldset className={`uc-row ${classes.gas}`} title={t('gasSource')}>
      <legend>{t('gas')}</legend>
      <NumberInput
        aria-label={t('temperature')}
        suffix=" K"
        value={gas.temperature}
        min={min}
        max={max}
        clampBehavior="none"
        error={!isPossible}
        onChange={(temperature) => onChange({ ...gas, temperature })}
      />
      <NumberInput
        aria-label={t('pressure')}
        suffix=" bar"
        value={gas.pressure}
        error={!isPossible}
        onChange={(pressure) => onChange({ ...gas, pressure })}
      />
      {!isPossible && <span className={classes.potentialsProblem}>{t('gasRange', { min, max })}</span>}
    </fieldset>
  );
}

/** States whether the compound is stable in the gas. */
export function OxygenVerdict({
  potential,
  formula,
  range,
}: {
  readonly potential: number;
  readonly formula: string;
  readonly range: Range;
}) {
  const { t } = useTexts(potentialTexts);
  const side = potential > range.max ? 'gasAbove' : potential < range.min ? 'gasBelow' : 'gasInside';
  const text = (energy: number): string =>
    energy === Number.NEGATIVE_INFINITY ? '−∞' : formatNumber(energy, { decimals: 2 });
  return (
    <p className={classes.potentialsVerdict}>
      {t(side, {
        value: text(potential),
        from: text(range.min),
        to: text(range.max),
        formula: formulaText(formula),
      })}
    </p>
  );
}
