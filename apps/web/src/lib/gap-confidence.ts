/**
 * A predicted gap is doubtful if its probability is low. Its interval is then unreliable
 * (docs/methods/prediction.md).
 */
import type { PredictedInterval, PredictedValues } from '@unitcell/contract/prediction';

/** eV; smaller gaps count as none. */
const SEEN = 0.1;

export const isGapDoubtful = ({
  band_gap,
  insulator_probability,
}: Pick<PredictedValues, 'band_gap' | 'insulator_probability'>): boolean =>
  insulator_probability < 0.5 && band_gap.value >= SEEN;

/** True if a value is not predicted and therefore has no interval: the formation energy of an element. */
export const isDefinition = ({ low, high }: PredictedInterval): boolean => low === high;
