/** Radiation, elements, method, options, Match. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import {
  type MatchSettings,
  otherWay,
  readFilter,
  ROW_CHOICES,
  sourceGroups,
  wavelengthText,
} from '../settings.ts';
import { xrdTexts } from '../texts.ts';
import { ElementBox } from './element-box.tsx';
import classes from './xrd.module.css';

interface MatchFormProps {
  readonly settings: MatchSettings;
  readonly onChange: (changes: Partial<MatchSettings>) => void;
  /** There is a pattern, and nothing is being done to it. */
  readonly isReady: boolean;
  readonly isMatching: boolean;
  readonly onMatch: () => void;
}

const MAX_ELEMENTS_TEXT = 500;

export function MatchForm({ settings, onChange, isReady, isMatching, onMatch }: MatchFormProps) {
  const { t } = useTexts(xrdTexts);
  const filter = readFilter(settings.elements);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !isMatching && filter.kind !== 'wrong') onMatch();
  };
  const toggleWay = (): void => onChange({ way: otherWay(settings.way) });
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.radiation}>
        <NativeSelect
          label={t('radiation')}
          size="sm"
          data={sourceGroups()}
          value={settings.radiation}
          onChange={({ currentTarget }) => onChange({ radiation: currentTarget.value })}
        />
        <TextInput
          label={t('wavelength')}
          size="sm"
          value={wavelengthText(settings.radiation)}
          readOnly
          rightSection={<span className={classes.unit}>Å</span>}
        />
      </div>
      <ElementBox
        value={settings.elements}
        filter={filter}
        maxLength={MAX_ELEMENTS_TEXT}
        onChange={(elements) => onChange({ elements })}
      />
      <fieldset className={classes.methods}>
        <legend className={classes.legend}>{t('method')}</legend>
        <Checkbox
          size="xs"
          label="DTW"
          description={t('dtwHint')}
          checked={settings.way === 'DTW'}
          onChange={toggleWay}
        />
        <Checkbox
          size="xs"
          label={t('euclidean')}
          description={t('euclideanHint')}
          checked={settings.way === 'Euclidean'}
          onChange={toggleWay}
        />
      </fieldset>
      <fieldset className={classes.choices}>
        <legend className={classes.legend}>{t('options')}</legend>
        <Checkbox
          size="xs"
          label={t('allowStrain')}
          description={t('allowStrainHint')}
          checked={settings.allowsStrain}
          onChange={(event) => onChange({ allowsStrain: event.currentTarget.checked })}
        />
        <NativeSelect
          size="xs"
          label={t('rows')}
          className={classes.rows}
          data={ROW_CHOICES.map(String)}
          value={String(settings.rows)}
          onChange={(event) => onChange({ rows: Number(event.currentTarget.value) })}
        />
      </fieldset>
      <Button type="submit" size="md" fullWidth disabled={!isReady || isMatching || filter.kind === 'wrong'}>
        {isMatching ? t('matching') : t('match')}
      </Button>
      {!isReady && !isMatching && <p className={classes.hint}>{t('matchNeedsPattern')}</p>}
    </form>
  );
}
