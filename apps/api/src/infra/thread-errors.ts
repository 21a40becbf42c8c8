/**
 * Errors on their way out of a thread. A message between threads keeps the text of an error but not what it is, so what the
 * product tells apart is taken to pieces there and put together here. Other errors are ours, and only their text counts.
 */
import { fromPlain, isPlainError, type PlainError, toPlain } from '@unitcell/errors';
import { AppError } from '../messages/app-error.ts';

export type PackedError = PlainError | Readonly<Pick<AppError, 'code' | 'parameters' | 'extra'>>;

/** Of an error of the science or of the product; undefined for all others. */
export function packError(error: unknown): PackedError | undefined {
  if (!(error instanceof AppError)) return toPlain(error);
  const { code, parameters, extra } = error;
  return { code, parameters, extra };
}

export const unpackError = (packed: PackedError): Error =>
  isPlainError(packed) ? fromPlain(packed) : new AppError(packed.code, packed.parameters, packed.extra);
