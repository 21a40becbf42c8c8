/** Display names of energy scales, and sentences about them. Addresses, calls and files use the stored name. */
import { useCallback } from 'react';
import { measuredAt } from '@unitcell/contract/phase-diagram/rules';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import type { Completeness } from '@unitcell/contract/phase-diagram';
import type { EnergyScale } from '@unitcell/contract/common';
import { completenessTexts } from '../completeness/texts.ts';

export const energyScaleTexts = defineTexts('energy-scale', {
  en: {
    label: 'Energy scale',
    materials: '{{scale}} · {{n}} materials',
    experiment: 'experiment, {{kelvin}} K',
    released: '{{scale}} · release {{id}} ({{date}})',
  },
  zh: {
    label: '能量基准',
    materials: '{{scale}} · {{n}} 个材料',
    experiment: '实验，{{kelvin}} K',
    released: '{{scale}} · 版本 {{id}}（{{date}}）',
  },
});

/** The display name: measured scales are translated, functionals keep their names. */
export function useScaleName(): (scale: string) => string {
  const { t } = useTexts(energyScaleTexts);
  return useCallback(
    (scale) => {
      const kelvin = measuredAt(scale);
      return kelvin === null ? scale : t('experiment', { kelvin });
    },
    [t],
  );
}

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
