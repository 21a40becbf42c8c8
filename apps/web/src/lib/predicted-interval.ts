/** Which predicted values have a valid interval (docs/methods/prediction.md), and their text with it. */
import type { PredictedInterval, PredictedValues } from '@unitcell/contract/prediction';
import type { PredictedProperty } from '@unitcell/contract/prediction/rules';
import { formatNumber } from './format.ts';

/** eV; smaller gaps count as none. */
const SEEN = 0.1;

/** A predicted gap is doubtful if its probability is low. Its interval is then unreliable. */
export const isGapDoubtful = ({
  band_gap,
  insulator_probability,
}: Pick<PredictedValues, 'band_gap' | 'insulator_probability'>): boolean =>
  insulator_probability < 0.5 && band_gap.value >= SEEN;

/** True if a value is not predicted and therefore has no interval: the formation energy of an element. */
export const isDefinition = ({ low, high }: PredictedInterval): boolean => low === high;

export const hasInterval = (predicted: PredictedValues, property: PredictedProperty): boolean =>
  predicted.familiarity !== 'outside' &&
  !isDefinition(predicted[property]) &&
  !(property === 'band_gap' && isGapDoubtful(predicted));

/** A value with the half-width of its interval, `−2.31 ± 0.08`; the value alone if the interval is not valid. */
export function predictedText(
  predicted: PredictedValues,
  property: PredictedProperty,
  decimals: number,
): string {
  const { value, high } = predicted[property];
  const half = hasInterval(predicted, property) ? ` ± ${formatNumber(high - value, { decimals })}` : '';
  return formatNumber(value, { decimals }) + half;
}
