/** What a worker thread does with a task: loads the file that is named and calls its function. */
import { fromPlain, isPlainError, type PlainError, toPlain } from '@unitcell/errors';
import { AppError } from '../messages/app-error.ts';

/**
 * Errors on their way out of a thread. A message between threads keeps the text of an error but not what it is, so what the
 * product tells apart is taken to pieces there and put together here. Other errors are ours, and only their text counts.
 */
export type PackedError = PlainError | Readonly<Pick<AppError, 'code' | 'parameters' | 'extra'>>;

/** Of an error of the science or of the product; undefined for all others. */
export function packError(error: unknown): PackedError | undefined {
  if (!(error instanceof AppError)) return toPlain(error);
  const { code, parameters, extra } = error;
  return { code, parameters, extra };
}

export const unpackError = (packed: PackedError): Error =>
  isPlainError(packed) ? fromPlain(packed) : new AppError(packed.code, packed.parameters, packed.extra);

export interface TaskMessage {
  /** Address of the thread file. */
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
