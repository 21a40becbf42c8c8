import { Checkbox, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { Net } from '@unitcell/tight-binding';
import { type ComponentProps, useMemo } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { degreesOf, type NetFilter, NO_FILTER, planeGroupsOf, SITE_CLASSES } from '../filter-nets.ts';
import { tightBindingTexts } from '../texts.ts';
import classes from '../tight-binding.module.css';

interface PickerFiltersProps {
  readonly nets: readonly Net[];
  readonly filter: NetFilter;
  readonly onChange: (filter: NetFilter) => void;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
  readonly isLoading: boolean;
  readonly searchProps: Partial<ComponentProps<'input'>>;
}

export function PickerFilters(props: PickerFiltersProps) {
  const { nets, filter, onChange, isAll, onAll, isLoading, searchProps } = props;
  const { t } = useTexts(tightBindingTexts);
  const degrees = useMemo(() => degreesOf(nets), [nets]);
  const groups = useMemo(() => planeGroupsOf(nets), [nets]);
  const select = (field: 'degree' | 'planeGroup' | 'sites', values: readonly string[]) => (
    <NativeSelect
      size="xs"
      label={t(field)}
      value={filter[field]}
      onChange={({ currentTarget }) => onChange({ ...filter, [field]: currentTarget.value })}
      data={[{ value: '', label: t('any') }, ...values]}
    />
  );
  const isFiltered = Object.entries(NO_FILTER).some(
    ([field, none]) => filter[field as keyof NetFilter] !== none,
  );
  return (
    <div className={classes.filters}>
      <TextInput
        data-autofocus
        aria-label={t('search')}
        placeholder={t('searchHint')}
        value={filter.text}
        maxLength={60}
        onChange={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
        autoComplete="off"
        {...(searchProps as object)}
      />
      <div className={classes.choices}>
        {select('degree', degrees)}
        {select('planeGroup', groups)}
        {select('sites', Object.keys(SITE_CLASSES))}
        <Checkbox
          size="sm"
          label={t('flat')}
          checked={filter.isFlat}
          onChange={({ currentTarget }) => onChange({ ...filter, isFlat: currentTarget.checked })}
        />
        <Checkbox
          size="sm"
          label={t('dirac')}
          checked={filter.isDirac}
          onChange={({ currentTarget }) => onChange({ ...filter, isDirac: currentTarget.checked })}
        />
        <Switch
          size="sm"
          label={isLoading ? t('loadingNet') : t('allNets')}
          checked={isAll}
          onChange={({ currentTarget }) => onAll(currentTarget.checked)}
        />
        {isFiltered && (
          <button type="button" className={classes.clear} onClick={() => onChange(NO_FILTER)}>
            {t('clearFilters')}
          </button>
        )}
      </div>
    </div>
  );
}
