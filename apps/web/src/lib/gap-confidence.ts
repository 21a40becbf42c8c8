/** Whether the network tells a gap and at once that there is likely none: its interval holds for half of such crystals (docs/methods/prediction.md). */
import type { PredictedInterval, PredictedValues } from '@unitcell/contract/prediction';

/** eV; gaps below it are none to the eye. */
const SEEN = 0.1;

export const isGapDoubtful = ({
  band_gap,
  insulator_probability,
}: Pick<PredictedValues, 'band_gap' | 'insulator_probability'>): boolean =>
  insulator_probability < 0.5 && band_gap.value >= SEEN;

/** Whether a value has no interval because it is no prediction: the formation energy of an element. */
export const isDefinition = ({ low, high }: PredictedInterval): boolean => low === high;
