/** A number over the periodic table: the median of the materials that hold each element. A click filters by the element. */
import { screenElements } from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { PeriodicTable, type Tint } from '../../../components/periodic-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { formatCount } from '../../../lib/format.ts';
import {
  type Conditions,
  elementsOf,
  toggledElement,
  withElements,
} from '../../../components/filter/conditions.ts';
import { type ElementNumbers, heatOf, shortNumber } from './heat.ts';
import { useFieldUnit, useNumberNames } from '../../../components/filter/filter-words.ts';
import { fieldLabel } from '../../../components/filter/filter-fields.ts';
import { NumbersFrom } from './numbers-from.tsx';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

interface HeatPanelProps {
  /** A property, or empty for the number of materials. */
  readonly field: string;
  readonly onField: (field: string) => void;
  readonly filter: string;
  readonly scale: string;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

const NOTHING: ElementNumbers = {};

export function HeatPanel(props: HeatPanelProps) {
  const { filter, scale, conditions, onConditions } = props;
  const { t, language } = useTexts(screenTexts);
  const names = useNumberNames();
  const unitOf = useFieldUnit();
  const field = names.includes(props.field) ? props.field : '';
  const answer = useQuery({
    queryKey: ['matdata', 'elements', filter, scale, field],
    queryFn: async ({ signal }) =>
      expectOutcome(
        await callApi(screenElements, { filter, scale, ...(field === '' ? {} : { field }) }, { signal }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const elements = answer.data?.elements ?? NOTHING;
  const heat = useMemo(() => heatOf(elements, field !== ''), [elements, field]);
  const unit = unitOf(field);
  const name = field === '' ? t('heatCount') : fieldLabel(field, language);
  const title = unit === '' ? name : `${name} (${unit})`;
  const tints = useMemo(
    () =>
      Object.fromEntries(
        heat.tiles.map(({ symbol, value, share, count, known }): [string, Tint] => [
          symbol,
          {
            share,
            text: shortNumber(value),
            label:
              field === ''
                ? t('materialsOf', { n: formatCount(count) })
                : t('heatTile', {
                    value: `${shortNumber(value)} ${unit}`.trimEnd(),
                    known: formatCount(known),
                    all: formatCount(count),
                  }),
          },
        ]),
      ),
    [heat, field, unit, t],
  );
  const chosen = useMemo(() => elementsOf(conditions), [conditions]);
  const selected = useMemo(() => new Set([...chosen.with, ...chosen.only]), [chosen]);
  const excluded = useMemo(() => new Set(chosen.without), [chosen]);
  return (
    <section className={classes.heat} aria-label={t('heat')}>
      <div className={classes.axes}>
        <label className={classes.axisChoice}>
          {t('heatField')}
          <select value={field} onChange={(event) => props.onField(event.currentTarget.value)}>
            <option value="">({t('heatCount')})</option>
            {names.map((property) => (
              <option key={property} value={property}>
                {fieldLabel(property, language)}
              </option>
            ))}
          </select>
        </label>
        <span className={classes.plotHint}>{t('heatHint')}</span>
      </div>
      {answer.isError && <ErrorPanel error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.data && (
        <>
          <PeriodicTable
            label={t('heatSummary', { name: title, n: formatCount(answer.data.total) })}
            selected={selected}
            excluded={excluded}
            tints={tints}
            onToggle={(symbol) =>
              onConditions(withElements(conditions, toggledElement(chosen, symbol, 'with')))
            }
          />
          <p className={classes.legend}>
            <span>{title}</span>
            <span>{shortNumber(heat.from)}</span>
            <span className={classes.ramp} aria-hidden="true" />
            <span>{shortNumber(heat.to)}</span>
          </p>
          {field !== '' && <NumbersFrom fields={[field]} scale={scale} />}
        </>
      )}
    </section>
  );
}
