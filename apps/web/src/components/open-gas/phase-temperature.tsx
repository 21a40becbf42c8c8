/** The temperature of phases: its slider, from plain energies to 2,000 K; source and error of Gibbs energies. */
import { Slider } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import type { GibbsEnergies } from '@unitcell/contract/phase-diagram';
import { type GibbsOrigin, HULL_TEMPERATURE } from '@unitcell/contract/phase-diagram/rules';
import { memo, useCallback, useEffect, useState } from 'react';
import { type Translate, useTexts } from '../../i18n/texts.ts';
import { type DataColumn, numberColumn } from '../data-table/columns.tsx';
import { formulaText } from '../formula.tsx';
import classes from './open-gas.module.css';
import { openGasTexts } from './texts.ts';

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

interface PositionSliderProps {
  readonly position: number;
  readonly textOf: (position: number) => string;
  readonly onChange: (position: number) => void;
}

/** Memoised, so that it is rendered when it moves but not when a request begins or ends. */
const PositionSlider = memo(function PositionSlider({ position, textOf, onChange }: PositionSliderProps) {
  const { t } = useTexts(openGasTexts);
  return (
    <Slider
      aria-labelledby="phase-temperature"
      thumbLabel={t('phaseTemperature')}
      thumbValueText={textOf}
      min={0}
      max={positionOf(max)}
      step={1}
      value={position}
      marks={MARKS}
      label={textOf}
      onChange={onChange}
    />
  );
});

/**
 * Each position is a calculation by the server. A new one is requested only when the previous one is
 * answered.
 */
export function TemperatureSlider({ temperature, onChange }: TemperatureSliderProps) {
  const { t } = useTexts(openGasTexts);
  const [thumb, setThumb] = useState({ at: temperature, sent: temperature });
  // Back, forward and a new gas temperature also move the thumb.
  if (thumb.sent !== temperature) setThumb({ at: temperature, sent: temperature });
  const isBusy = useIsFetching() > 0;
  useEffect(() => {
    if (isBusy || thumb.at === thumb.sent) return undefined;
    const frame = requestAnimationFrame(() => {
      setThumb({ at: thumb.at, sent: thumb.at });
      onChange(thumb.at);
    });
    return () => cancelAnimationFrame(frame);
  }, [isBusy, thumb, onChange]);
  const textOf = useCallback(
    (position: number): string => {
      const at = temperatureAt(position);
      return at === null ? t('plain') : `${at} K`;
    },
    [t],
  );
  const move = useCallback(
    (position: number) => setThumb((now) => ({ ...now, at: temperatureAt(position) })),
    [],
  );
  return (
    <div className={classes.temperature}>
      <span className={`uc-note ${classes.temperatureText}`} id="phase-temperature">
        {t('phaseTemperature')} <strong>{thumb.at === null ? t('plain') : `${thumb.at} K`}</strong>
      </span>
      <PositionSlider position={positionOf(thumb.at)} textOf={textOf} onChange={move} />
    </div>
  );
}

/** Maximum number of formulas named in a note; the JSON has all. */
const MOST_NAMED = 12;

const namesOf = (formulas: readonly string[]): string =>
  formulas.slice(0, MOST_NAMED).map(formulaText).join(', ') + (formulas.length > MOST_NAMED ? ', …' : '');

/** Describes Gibbs energies and names the compounds that are left out. */
export function useGibbsNote(): (gibbs: GibbsEnergies) => string {
  const { t, language } = useTexts(openGasTexts);
  return ({ temperature, unknown, replaced }) =>
    [
      t('gibbsNote', { temperature }),
      ...(unknown.length === 0
        ? []
        : [t('gibbsUnknown', { formulas: namesOf(unknown), count: unknown.length })]),
      ...(replaced.length === 0 ? [] : [t('gibbsReplaced', { formulas: namesOf(replaced) })]),
    ].join(language === 'zh' ? '' : ' ');
}

interface RowAtTemperature {
  readonly phases: readonly { readonly formula: string; readonly gibbs_source?: GibbsOrigin | undefined }[];
  readonly expected_error?: number | null | undefined;
}

/**
 * Columns of a reaction at a temperature: the source of the Gibbs energy of each phase, and the error.
 * @param unit of energies per atom
 */
export const temperatureColumns = <Row extends RowAtTemperature>(
  t: Translate<(typeof openGasTexts)['en']>,
  unit: string,
): readonly DataColumn<Row>[] => [
  {
    id: 'gibbs_source',
    header: t('gibbsSource'),
    value: ({ phases }) =>
      phases
        .map(({ formula, gibbs_source: source = 'plain' }) =>
          t('ofPhase', { formula: formulaText(formula), source: t(`source_${source}`) }),
        )
        .join('; '),
  },
  numberColumn('expected_error', t('gibbsError', { unit }), ({ expected_error: error }) => error ?? null),
];
