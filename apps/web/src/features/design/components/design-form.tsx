/** The search form: elements from the periodic table, size, conditions. */
import { Button, Checkbox, NumberInput, SegmentedControl, Textarea } from '@mantine/core';
import { DESIGN_LIMITS } from '@unitcell/contract/design/rules';
import { type FormEvent, useMemo } from 'react';
import { formulaColumn } from '../../../components/data-table/column-kinds.tsx';
import type { DataColumn } from '../../../components/data-table/columns.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { ErrorPanel } from '../../../components/failure.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { type Score, useScore } from '../api/use-design.ts';
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

type Row = Score['rows'][number];
/** The score so far: predictions for submitted structures compared with their calculations. */
const METHODS_OF = { formation_energy_per_atom: 'formation', band_gap: 'gap' } as const;
const UNITS = { formation_energy_per_atom: 'eV/atom', band_gap: 'eV' } as const;

export function ScorePanel() {
  const { t } = useTexts(designTexts);
  const score = useScore();
  const nameOf = useScaleName();
  const columns: readonly DataColumn<Row>[] = [
    formulaColumn('formula', t('formula'), ({ formula }) => formula),
    { id: 'property', header: t('property'), value: ({ property }) => t(property) },
    {
      id: 'predicted',
      header: t('predicted'),
      value: ({ predicted }) => predicted.value,
      render: ({ predicted, property }) => `${formatNumber(predicted.value)} ${UNITS[property]}`,
      isNumeric: true,
      method: 'prediction',
    },
    {
      id: 'interval',
      header: t('interval'),
      value: ({ predicted }) => predicted.low,
      render: ({ predicted }) => `${formatNumber(predicted.low)} – ${formatNumber(predicted.high)}`,
      isNumeric: true,
      method: 'prediction',
    },
    {
      id: 'calculated',
      header: t('calculated'),
      value: ({ calculated }) => calculated,
      render: ({ calculated, property }) => `${formatNumber(calculated)} ${UNITS[property]}`,
      isNumeric: true,
      method: ({ property }) => METHODS_OF[property],
    },
    { id: 'within', header: t('isWithin'), value: ({ is_within: isWithin }) => t(isWithin ? 'yes' : 'no') },
    { id: 'functional', header: t('functional'), value: ({ functional }) => nameOf(functional ?? '') },
  ];
  if (score.isError)
    return (
      <Section id="score" title={t('scoreTitle')} lead={t('scoreLead')}>
        <ErrorPanel error={score.error} onRetry={() => void score.refetch()} />
      </Section>
    );
  if (!score.data) return null;
  const { rows, summary } = score.data;
  return (
    <Section id="score" title={t('scoreTitle')} lead={t('scoreLead')}>
      {rows.length === 0 ? (
        <p className={`uc-note ${classes.note}`}>{t('scoreNone')}</p>
      ) : (
        <>
          <ul className="uc-list">
            {summary.map(({ property, functional, compared, mean_absolute_error: error, within }) => (
              <li key={`${property} ${functional}`}>
                {t('scoreLine', {
                  property: t(property),
                  functional: nameOf(functional ?? ''),
                  n: compared,
                  error: formatNumber(error),
                  unit: UNITS[property],
                  within: formatNumber(100 * within, { decimals: 0 }),
                })}
              </li>
            ))}
          </ul>
          <p className={`uc-note ${classes.note}`}>{t('scaleRemark')}</p>
          <DataTable
            label={t('scoreTable')}
            rows={rows}
            columns={columns}
            rowKey={({ struct_id: id, property }) => `${id} ${property}`}
            rowHref={({ struct_id: id }) => `/matdatades/${id}`}
            pageSize={10}
            csvName="predicted-and-calculated"
          />
        </>
      )}
    </Section>
  );
}

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
        <p className={`uc-note ${classes.note}`}>{t('elementsHint')}</p>
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
        <Checkbox
          label={t('relax', { most: DESIGN_LIMITS.relaxed })}
          description={t('relaxHint')}
          checked={form.relax}
          onChange={(event) => onForm({ ...form, relax: event.currentTarget.checked })}
        />
      </div>
      <div className="uc-stack">
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
        <div className="uc-wrap">
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
      <div className={`uc-fields ${classes.go}`}>
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
