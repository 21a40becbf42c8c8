/** What is looked for: elements from the periodic table, size, conditions. */
import { Button, Checkbox, NumberInput, SegmentedControl, Textarea } from '@mantine/core';
import { DESIGN_LIMITS } from '@unitcell/contract/design/rules';
import { type FormEvent, useMemo } from 'react';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { designTexts } from '../texts.ts';
import {
  type DesignForm,
  hasPreset,
  type Preset,
  PRESETS,
  toggleElement,
  togglePreset,
} from '../view-model.ts';
import classes from './design.module.css';

interface DesignFormPanelProps {
  readonly form: DesignForm;
  readonly isBusy: boolean;
  readonly onForm: (form: DesignForm) => void;
  readonly onStart: () => void;
  readonly onExample: () => void;
}

const SIZES = ['2', '3', '4'] as const;
const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

export function DesignFormPanel({ form, isBusy, onForm, onStart, onExample }: DesignFormPanelProps) {
  const { t } = useTexts(designTexts);
  const { allowed, required, filter } = form;
  const selected = useMemo(() => new Set([...allowed, ...required]), [allowed, required]);
  const isEmpty = selected.size === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty && !isBusy) onStart();
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <div className={classes.elements}>
        <PeriodicTable
          label={t('elements')}
          selected={selected}
          onToggle={(symbol) => onForm(toggleElement(form, symbol))}
        />
        <p className={classes.chosen} aria-live="polite" translate="no">
          {t('chosen', {
            allowed: allowed.length > 0 ? allowed.join(' ') : t('none'),
            required: required.length > 0 ? required.join(' ') : t('none'),
          })}
        </p>
        <p className={classes.note}>{t('elementsHint')}</p>
      </div>
      <div className={classes.fields}>
        <div>
          <span className={classes.label} id="design-size">
            {t('nelements')}
          </span>
          <SegmentedControl
            aria-labelledby="design-size"
            data={[...SIZES]}
            value={String(form.nelements)}
            onChange={(value) => onForm({ ...form, nelements: Number(value) })}
          />
        </div>
        <NumberInput
          label={t('atoms')}
          min={2}
          max={DESIGN_LIMITS.atoms}
          value={form.atoms}
          onChange={(value) => onForm({ ...form, atoms: Number(value) || 2 })}
        />
        <NumberInput
          label={t('candidates')}
          min={1}
          value={form.candidates}
          onChange={(value) => onForm({ ...form, candidates: Number(value) || 1 })}
        />
        <Checkbox
          label={t('known')}
          checked={form.includeKnown}
          onChange={(event) => onForm({ ...form, includeKnown: event.currentTarget.checked })}
        />
      </div>
      <div className={classes.conditions}>
        <Textarea
          label={t('filter')}
          description={t('filterHint')}
          autosize
          minRows={2}
          maxLength={4000}
          spellCheck={false}
          value={filter}
          onChange={(event) => onForm({ ...form, filter: event.currentTarget.value })}
        />
        <div className={classes.presets}>
          {PRESET_NAMES.map((preset) => {
            const isOn = hasPreset(filter, preset);
            return (
              <Button
                key={preset}
                type="button"
                size="xs"
                variant={isOn ? 'filled' : 'default'}
                aria-pressed={isOn}
                onClick={() => onForm({ ...form, filter: togglePreset(filter, preset) })}
              >
                {t(preset)}
              </Button>
            );
          })}
        </div>
      </div>
      <div className={classes.go}>
        <Button type="submit" disabled={isEmpty || isBusy}>
          {t('start')}
        </Button>
        <Button type="button" variant="default" disabled={isBusy} onClick={onExample}>
          {t('example')}
        </Button>
      </div>
    </form>
  );
}
