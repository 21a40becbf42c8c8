/** An energy scale in words. In addresses, calls and files it keeps the name the site stores. */
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { energyScaleTexts } from './texts.ts';

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
