/** The collapsible advanced options: ranges, working ion, included and excluded elements (spec §2.10). */
import { Button, NativeSelect, RangeSlider, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { WindowFilterName } from '@unitcell/contract/ecwindow';
import { WINDOW_FILTER_RANGES, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { isElementSymbol } from '@unitcell/elements';
import { useId, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { ecwindowTexts } from '../texts.ts';
import {
  FILTER_NAMES,
  filterCount,
  type Filters,
  NO_FILTERS,
  type Range,
  wholeRange,
  withRange,
} from '../view-model.ts';
import classes from './ecwindow.module.css';

interface AdvancedOptionsProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

const UNITS: Readonly<Record<WindowFilterName, string>> = {
  collapse_Reduction: 'V',
  collapse_Oxidation: 'V',
  collapse_ehull: 'eV/atom',
  collapse_bandgap: 'eV',
};

/** The first unknown symbol of a hyphen-separated list. */
export const unknownElementOf = (text: string): string | undefined =>
  text
    .split(/[\s,;-]+/)
    .filter((token) => token !== '')
    .find((token) => !isElementSymbol(token));

export function AdvancedOptions({ filters, onChange }: AdvancedOptionsProps) {
  const { t } = useTexts(ecwindowTexts);
  const count = filterCount(filters);
  const [isOpen, setOpen] = useState(count > 0);
  const panelId = useId();
  const listField = (id: 'included' | 'excluded') => {
    const unknown = unknownElementOf(filters[id]);
    return (
      <TextInput
        label={t(id)}
        placeholder={t('elementsPlaceholder')}
        value={filters[id]}
        maxLength={400}
        spellCheck={false}
        autoComplete="off"
        error={unknown === undefined ? undefined : t('unknownElement', { symbol: unknown.slice(0, 20) })}
        onChange={(event) => onChange({ ...filters, [id]: event.currentTarget.value })}
      />
    );
  };
  return (
    <div className={classes.advanced}>
      <button
        type="button"
        className={`uc-link-button uc-line ${classes.disclosure}`}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronDown size={16} aria-hidden="true" data-open={isOpen || undefined} />
        {count === 0 ? t('advanced') : t('advancedCount', { n: count })}
      </button>
      <div id={panelId} hidden={!isOpen} className={classes.options}>
        {FILTER_NAMES.map((name) => (
          <RangeField
            key={name}
            name={name}
            range={filters.ranges[name] ?? wholeRange(name)}
            onChange={(range) => onChange(withRange(filters, name, range))}
          />
        ))}
        <NativeSelect
          label={t('workIon')}
          data={[...WORKING_IONS]}
          value={filters.ion}
          onChange={({ currentTarget }) => onChange({ ...filters, ion: currentTarget.value })}
        />
        {listField('included')}
        {listField('excluded')}
        <div className={classes.reset}>
          <Button variant="default" size="xs" disabled={count === 0} onClick={() => onChange(NO_FILTERS)}>
            {t('reset')}
          </Button>
        </div>
      </div>
    </div>
  );
}

interface RangeFieldProps {
  readonly name: WindowFilterName;
  readonly range: Range;
  readonly onChange: (range: Range) => void;
}

function RangeField({ name, range, onChange }: RangeFieldProps) {
  const { t } = useTexts(ecwindowTexts);
  const { min, max, step } = WINDOW_FILTER_RANGES[name];
  const decimals = step < 0.01 ? 3 : 1;
  const isWhole = range[0] <= min && range[1] >= max;
  return (
    <div className={classes.range}>
      <span className={`uc-note ${classes.rangeText}`}>
        {t(name)}:{' '}
        <strong>
          {isWhole
            ? t('any')
            : t('between', {
                min: range[0].toFixed(decimals),
                max: range[1].toFixed(decimals),
                unit: UNITS[name],
              })}
        </strong>
      </span>
      <RangeSlider
        min={min}
        max={max}
        step={step}
        minRange={0}
        value={[range[0], range[1]]}
        thumbFromLabel={t('from', { name: t(name) })}
        thumbToLabel={t('to', { name: t(name) })}
        label={(value) => value.toFixed(decimals)}
        onChange={onChange}
      />
    </div>
  );
}
