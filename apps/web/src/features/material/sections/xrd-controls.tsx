/** Source, wavelength, particle size, Generate and the 2θ slider. */
import { Button, NativeSelect, RangeSlider, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useFailure } from '../../../components/failure.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { PatternSettings } from '../material-requests.ts';
import classes from '../material.module.css';
import { xrdTexts } from './xrd-texts.ts';
import {
  CUSTOMIZED,
  DEFAULT_SIZE_NM,
  DEFAULT_SOURCE,
  readNumber,
  sourceNames,
  TWO_THETA_LIMITS,
  wavelengthText,
} from './xrd-view-model.ts';

interface XrdControlsProps {
  readonly isBusy: boolean;
  /** Why the last pattern was not made. */
  readonly refusal: Error | null;
  readonly range: readonly [number, number];
  readonly onRange: (range: readonly [number, number]) => void;
  readonly onGenerate: (settings: PatternSettings) => void;
}

/** Degrees the slider keeps between its ends. */
const LEAST_RANGE_DEG = 5;
const MARKS = [0, 10, 30, 50, 70, 90].map((value) => ({ value, label: `${value}°` }));

export function XrdControls({ isBusy, refusal, range, onRange, onGenerate }: XrdControlsProps) {
  const { t } = useTexts(xrdTexts);
  const sentence = useFailure();
  const [source, setSource] = useState(DEFAULT_SOURCE);
  const [wavelength, setWavelength] = useState(wavelengthText(DEFAULT_SOURCE));
  const [size, setSize] = useState(DEFAULT_SIZE_NM);
  const [slip, setSlip] = useState<'noWavelength' | 'noSize' | null>(null);

  const choose = (name: string): void => {
    setSource(name);
    setWavelength(wavelengthText(name));
    setSlip(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const settings = { wavelength: readNumber(wavelength), crystalSize: readNumber(size) };
    if (settings.wavelength === null) setSlip('noWavelength');
    else if (settings.crystalSize === null) setSlip('noSize');
    else {
      setSlip(null);
      onGenerate({ wavelength: settings.wavelength, crystalSize: settings.crystalSize });
    }
  };
  const problem = slip ? t(slip) : refusal && sentence(refusal);
  return (
    <form className={classes.controls} onSubmit={submit} noValidate>
      <NativeSelect
        label={t('source')}
        size="xs"
        className={classes.source}
        data={sourceNames(source).map((name) => ({
          value: name,
          label: name === CUSTOMIZED ? t('customized') : name,
        }))}
        value={source}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <TextInput
        label={t('wavelength')}
        size="xs"
        className={classes.number}
        inputMode="decimal"
        value={wavelength}
        onChange={(event) => {
          setWavelength(event.currentTarget.value);
          setSource(CUSTOMIZED);
        }}
        rightSection={<span className={classes.xrdUnit}>Å</span>}
        error={slip === 'noWavelength'}
      />
      <TextInput
        label={t('size')}
        size="xs"
        className={classes.number}
        inputMode="decimal"
        value={size}
        onChange={(event) => setSize(event.currentTarget.value)}
        rightSection={<span className={classes.xrdUnit}>nm</span>}
        error={slip === 'noSize'}
      />
      <Button type="submit" size="xs" loading={isBusy} className={classes.generate}>
        {t('generate')}
      </Button>
      <div className={classes.range}>
        <span className={classes.rangeLabel}>
          {t('range')}: {range[0]}° – {range[1]}°
        </span>
        <RangeSlider
          size="xs"
          min={TWO_THETA_LIMITS[0]}
          max={TWO_THETA_LIMITS[1]}
          minRange={LEAST_RANGE_DEG}
          value={[range[0], range[1]]}
          onChange={onRange}
          marks={MARKS}
          label={(value) => `${value}°`}
          thumbFromLabel={t('from')}
          thumbToLabel={t('to')}
        />
      </div>
      {problem && !isBusy && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
