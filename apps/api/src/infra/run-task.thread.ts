/** What a worker thread does with a task: loads the file that is named and calls its function. */
import { type PackedError, packError } from './thread-errors.ts';

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
