/** Display names of energy scales. Addresses, calls and files use the stored name. */
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { energyScaleTexts } from './texts.ts';

/** How import files name measured enthalpies: `experiment-298K`. */
const EXPERIMENT = /^experiment-(\d+(?:\.\d+)?)K$/;

/** The display name: measured scales are translated, functionals keep their names. */
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
