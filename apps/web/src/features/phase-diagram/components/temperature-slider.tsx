/** The temperature of the phases: plain energies at the left end, then 300 to 2,000 K. */
import { Slider } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { HULL_TEMPERATURE } from '@unitcell/contract/phase-diagram/rules';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from '../phase-diagram.module.css';
import { phaseTexts } from '../texts.ts';

interface TemperatureSliderProps {
  /** K; null for plain energies. */
  readonly temperature: number | null;
  readonly onChange: (temperature: number | null) => void;
}

/** K */
const STEP = 25;
const { min, max } = HULL_TEMPERATURE;
/** Positions of the slider: 0 for plain energies, then one per step from the lowest temperature. */
const temperatureAt = (position: number): number | null =>
  position === 0 ? null : min + STEP * (position - 1);
const positionOf = (temperature: number | null): number =>
  temperature === null ? 0 : 1 + Math.round((temperature - min) / STEP);
const MARKS = [300, 1000, 1500, 2000].map((temperature) => ({
  value: positionOf(temperature),
  label: `${temperature} K`,
}));
/** ms. Each position is a calculation of the server; one waits until the thumb rests this long. */
const REST = 60;

export function TemperatureSlider({ temperature, onChange }: TemperatureSliderProps) {
  const { t } = useTexts(phaseTexts);
  const [moved, setMoved] = useState({ to: temperature, from: temperature });
  // Back, forward and the temperature of the gas move the thumb.
  if (moved.from !== temperature) setMoved({ to: temperature, from: temperature });
  const apply = useDebouncedCallback(onChange, REST);
  const textOf = (position: number): string => {
    const at = temperatureAt(position);
    return at === null ? t('plain') : `${at} K`;
  };
  return (
    <div className={classes.temperature}>
      <span className={`uc-note ${classes.limitText}`} id="phase-temperature">
        {t('phaseTemperature')} <strong>{moved.to === null ? t('plain') : `${moved.to} K`}</strong>
      </span>
      <Slider
        aria-labelledby="phase-temperature"
        thumbLabel={t('phaseTemperature')}
        thumbValueText={textOf}
        min={0}
        max={positionOf(max)}
        step={1}
        value={positionOf(moved.to)}
        marks={MARKS}
        label={textOf}
        onChange={(position) => {
          const to = temperatureAt(position);
          setMoved({ to, from: temperature });
          apply(to);
        }}
      />
    </div>
  );
}
