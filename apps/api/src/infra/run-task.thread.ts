/** Entry point of a worker thread: loads the given file and calls its function. */
import { fromPlain, isPlainError, type PlainError, toPlain } from '@unitcell/errors';
import { AppError } from '../messages/app-error.ts';

/**
 * Serialises errors between threads. A message between threads keeps an error's text but not its class, so
 * errors whose class matters are packed in the thread and restored in the caller. Other errors keep only
 * their text.
 */
export type PackedError = PlainError | Readonly<Pick<AppError, 'code' | 'parameters' | 'extra'>>;

/** Packs an error of the science or the product; undefined for all others. */
export function packError(error: unknown): PackedError | undefined {
  if (!(error instanceof AppError)) return toPlain(error);
  const { code, parameters, extra } = error;
  return { code, parameters, extra };
}

export const unpackError = (packed: PackedError): Error =>
  isPlainError(packed) ? fromPlain(packed) : new AppError(packed.code, packed.parameters, packed.extra);

export interface TaskMessage {
  /** URL of the thread file. */
  readonly file: string;
  readonly name: string;
  readonly argument: unknown;
}

export type TaskOutcome = { readonly result: unknown } | { readonly error: PackedError };

export async function runTask({ file, name, argument }: TaskMessage): Promise<TaskOutcome> {
  const functions: Record<string, (argument: unknown) => unknown> = await import(file);
  try {
    return { result: await functions[name]!(argument) };
  } catch (thrown) {
    const error = packError(thrown);
    if (error) return { error };
    throw thrown;
  }
}
