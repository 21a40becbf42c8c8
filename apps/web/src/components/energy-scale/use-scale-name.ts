/** An energy scale in words. In addresses, calls and files it keeps the name the site stores. */
import { useCallback } from 'react';
import type { Completeness, EnergyScale } from '@unitcell/contract';
import { useTexts } from '../../i18n/texts.ts';
import { energyScaleTexts } from './texts.ts';
import { completenessTexts } from '../completeness/texts.ts';

/** The form in which import files name measured enthalpies: `experiment-298K`. */
const EXPERIMENT = /^experiment-(\d+(?:\.\d+)?)K$/;

/** What a reader is told: scales of measurements in the language of the page, functionals by their own names. */
export function useScaleName(): (scale: string) => string {
  const { t } = useTexts(energyScaleTexts);
  return useCallback(
    (scale) => {
      const kelvin = EXPERIMENT.exec(scale)?.[1];
      return kelvin === undefined ? scale : t('experiment', { kelvin });
    },
    [t],
  );
}

/** Scale and release of an answer in words, as printed on plots and above tables; and that its system is not complete. */
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
