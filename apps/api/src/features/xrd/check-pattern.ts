/** Patterns that clients send back are not believed: what reading a file guarantees is checked again. */
import { MAX_PATTERN_POINTS } from '@unitcell/contract';
import { MIN_PATTERN_POINTS, NEGATIVE_INTENSITY_SHARE } from '@unitcell/diffraction';
import { AppError } from '../../messages/app-error.ts';
import type { Pattern } from './measured-pattern.ts';

/** @throws AppError xrd.data.* naming the point that cannot be used. */
export function assertPattern({ x, y }: Pattern): void {
  if (x.length !== y.length)
    throw new AppError('xrd.data.lengths', { angles: x.length, intensities: y.length });
  if (x.length > MAX_PATTERN_POINTS)
    throw new AppError('xrd.data.too-many', { points: x.length, limit: MAX_PATTERN_POINTS });
  if (x.length < MIN_PATTERN_POINTS)
    throw new AppError('xrd.data.too-few', { points: x.length, minimum: MIN_PATTERN_POINTS });
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [i, angle] of x.entries()) {
    if (!(angle >= 0 && angle <= 180)) throw new AppError('xrd.data.angle', { point: i + 1, angle });
    if (i > 0 && !(angle > x[i - 1]!)) throw new AppError('xrd.data.order', { point: i + 1, angle });
    lowest = Math.min(lowest, y[i]!);
    highest = Math.max(highest, y[i]!);
  }
  if (lowest === highest) throw new AppError('xrd.data.constant', { value: highest });
  if (lowest < -NEGATIVE_INTENSITY_SHARE * highest)
    throw new AppError('xrd.data.negative', { lowest, highest });
}
