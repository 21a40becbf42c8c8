/** The collapsible advanced options: ranges, working ion, included and excluded elements (spec §2.10). */
import { Button, NativeSelect, RangeSlider, TextInput } from '@mantine/core';
import type { WindowFilterName } from '@unitcell/contract/ecwindow';
import { WINDOW_FILTER_RANGES, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { isElementSymbol } from '@unitcell/elements';
import { FoldedFilters } from '../../../components/folded-filters.tsx';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { ecwindowTexts } from '../texts.ts';
import { FILTER_NAMES, type Filters, NO_FILTERS, type Range, wholeRange, withRange } from '../view-model.ts';
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
  const { ion, included, excluded, ranges } = filters;
  const active = [
    ...FILTER_NAMES.flatMap((name) => {
      const range = ranges[name];
      return range ? [`${t(name)}: ${rangeText(name, range, t)}`] : [];
    }),
    ...(ion === NO_FILTERS.ion ? [] : [`${t('workIon')}: ${ion}`]),
    ...(included.trim() === '' ? [] : [`${t('included')}: ${included}`]),
    ...(excluded.trim() === '' ? [] : [`${t('excluded')}: ${excluded}`]),
  ];
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
      <FoldedFilters
        name={t('advanced')}
        active={active}
        hasProblem={(unknownElementOf(included) ?? unknownElementOf(excluded)) !== undefined}
        foldsEverywhere
      >
        <div className={classes.options}>
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
            <Button
              variant="default"
              size="xs"
              disabled={active.length === 0}
              onClick={() => onChange(NO_FILTERS)}
            >
              {t('reset')}
            </Button>
          </div>
        </div>
      </FoldedFilters>
    </div>
  );
}

type T = Translate<(typeof ecwindowTexts)['en']>;

const decimalsOf = (name: WindowFilterName): number => (WINDOW_FILTER_RANGES[name].step < 0.01 ? 3 : 1);

const rangeText = (name: WindowFilterName, [from, to]: Range, t: T): string => {
  const decimals = decimalsOf(name);
  return t('between', { min: from.toFixed(decimals), max: to.toFixed(decimals), unit: UNITS[name] });
};

interface RangeFieldProps {
  readonly name: WindowFilterName;
  readonly range: Range;
  readonly onChange: (range: Range) => void;
}

function RangeField({ name, range, onChange }: RangeFieldProps) {
  const { t } = useTexts(ecwindowTexts);
  const { min, max, step } = WINDOW_FILTER_RANGES[name];
  const decimals = decimalsOf(name);
  const isWhole = range[0] <= min && range[1] >= max;
  return (
    <div className={classes.range}>
      <span className={`uc-note ${classes.rangeText}`}>
        {t(name)}: <strong>{isWhole ? t('any') : rangeText(name, range, t)}</strong>
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
