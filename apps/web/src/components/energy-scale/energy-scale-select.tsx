/** Choice of the energy scale a page stands on. */
import { NativeSelect } from '@mantine/core';
import { getEnergyScales } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { energyScaleTexts } from './texts.ts';
import { useScaleName } from './use-scale-name.ts';
import { apiQuery } from '../../lib/api-client.ts';
import classes from '../provenance/provenance.module.css';

/** Scales come and go with imports, not while somebody chooses one. */
const STALE_MILLISECONDS = 5 * 60_000;

/** The energy scales of the site. */
const useEnergyScales = () =>
  useQuery({
    ...apiQuery({ call: getEnergyScales, body: undefined }),
    staleTime: STALE_MILLISECONDS,
  });

interface EnergyScaleSelectProps {
  /** Null: the site's own. */
  readonly scale: string | null;
  /** Called with null for the site's own. */
  readonly onChange: (scale: string | null) => void;
}

export function EnergyScaleSelect({ scale, onChange }: EnergyScaleSelectProps) {
  const { t } = useTexts(energyScaleTexts);
  const { data } = useEnergyScales();
  const nameOf = useScaleName();
  const own = data?.default ?? '';
  const current = scale ?? own;
  const known = (data?.scales ?? []).map(({ functional, materials }) => ({
    value: functional,
    label: t('materials', { scale: nameOf(functional), n: formatCount(materials) }),
  }));
  // A scale named by an old address stays visible: the page says in words that it is gone.
  const options = known.some(({ value }) => value === current)
    ? known
    : [...known, { value: current, label: nameOf(current) }];
  return (
    <NativeSelect
      className={`uc-row ${classes.select}`}
      classNames={{ label: classes.label, wrapper: classes.field }}
      size="xs"
      label={t('label')}
      data={options}
      value={current}
      disabled={options.length < 2}
      onChange={({ currentTarget: { value } }) => onChange(value === own ? null : value)}
    />
  );
}
