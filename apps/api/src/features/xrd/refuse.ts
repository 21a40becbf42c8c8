/** Refusals of the diffraction package in the words of the product. */
import {
  type BadFilterReason,
  EXPECTED_LINE,
  MIN_PATTERN_POINTS,
  type UnreadableReason,
} from '@unitcell/diffraction';
import { AppError } from '../../plugins/app-error.ts';
import type { Refusal, Settled } from './settle.ts';

/** Values of a refusal that a message can show. */
const shown = (details: Refusal['details']): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'number' || typeof entry[1] === 'string',
    ),
  );

/** Why a file or a filter was refused; an error of ours for what no user can cause. */
export function appErrorOf({ code, message, details }: Refusal): Error {
  if (code === 'unreadable-pattern')
    return new AppError(`xrd.file.${details.reason as UnreadableReason}`, {
      ...shown(details),
      expected: EXPECTED_LINE,
      minimum: MIN_PATTERN_POINTS,
    });
  if (code === 'bad-filter')
    return new AppError(`xrd.filter.${details.reason as BadFilterReason}`, shown(details));
  if (code === 'cancelled') return new AppError('xrd.cancelled');
  return new Error(message);
}

/** @throws AppError */
export function unsettle<T>(settled: Settled<T>): T {
  if ('value' in settled) return settled.value;
  throw appErrorOf(settled.refusal);
}
