import type { Completeness, EnergyScale } from '@unitcell/contract/phase-diagram';
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { completenessTexts } from '../completeness/texts.ts';
import { energyScaleTexts } from './texts.ts';
import { useScaleName } from './use-scale-name.ts';

/** Describes scale and release, as printed on plots and above tables, and whether the system is incomplete. */
export function useProvenance(): (
  answer: EnergyScale & { readonly completeness?: Pick<Completeness, 'status'> | undefined },
) => string {
  const { t } = useTexts(energyScaleTexts);
  const { t: ofCompleteness } = useTexts(completenessTexts);
  const nameOf = useScaleName();
  return useCallback(
    ({ functional, release, completeness }) => {
      const scale =
        release === null ? nameOf(functional) : t('released', { scale: nameOf(functional), ...release });
      return completeness?.status === 'incomplete' ? ofCompleteness('inFigure', { scale }) : scale;
    },
    [t, ofCompleteness, nameOf],
  );
}
