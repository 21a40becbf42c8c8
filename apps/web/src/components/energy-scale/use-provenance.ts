import type { EnergyScale } from '@unitcell/contract';
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { energyScaleTexts } from './texts.ts';

/** Scale and release of an answer in words, as printed on plots and above tables. */
export function useProvenance(): (scale: EnergyScale) => string {
  const { t } = useTexts(energyScaleTexts);
  return useCallback(
    ({ functional, release }) =>
      release === null ? functional : t('released', { scale: functional, ...release }),
    [t],
  );
}
