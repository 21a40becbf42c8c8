/** Selects the energy scale of a page. */
import { NativeSelect } from '@mantine/core';
import { getEnergyScales } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { energyScaleTexts, useScaleName } from './energy-scale.tsx';
import { apiQuery } from '../../lib/api-client.ts';
import classes from '../provenance/provenance.module.css';

interface EnergyScaleSelectProps {
  /** Null for the default scale of the site. */
  readonly scale: string | null;
  /** Called with null for the default scale of the site. */
  readonly onChange: (scale: string | null) => void;
}

export const EnergyScaleSelect = memo(function EnergyScaleSelect({
  scale,
  onChange,
}: EnergyScaleSelectProps) {
  const { t } = useTexts(energyScaleTexts);
  const { data } = useQuery(apiQuery({ call: getEnergyScales, body: undefined }));
  const nameOf = useScaleName();
  const own = data?.default ?? '';
  const current = scale ?? own;
  const known = (data?.scales ?? []).map(({ functional, materials }) => ({
    value: functional,
    label: t('materials', { scale: nameOf(functional), n: formatCount(materials) }),
  }));
  // Keep a scale from an old address in the list; the page explains that it no longer exists.
  const options = known.some(({ value }) => value === current)
    ? known
    : [...known, { value: current, label: nameOf(current) }];
  return (
    <NativeSelect
      className={classes.select}
      size="xs"
      label={t('label')}
      data={options}
      value={current}
      disabled={options.length < 2}
      onChange={({ currentTarget: { value } }) => onChange(value === own ? null : value)}
    />
  );
});
