import { type ErrorParameters, ScienceError } from './science-error.ts';

/**
 * A ScienceError as plain data. Structured cloning keeps only name, message and stack of an error, so code and parameters
 * would be lost between threads.
 */
export interface PlainError {
  /** Tells this from every other value that a thread may answer. */
  readonly isScienceError: true;
  readonly package: string;
  readonly code: string;
  readonly message: string;
  readonly parameters: ErrorParameters;
}

/** The error as plain data, or undefined when it is none of a science package. */
export function toPlain(error: unknown): PlainError | undefined {
  if (!(error instanceof ScienceError)) return undefined;
  const { package: packageName, code, message, parameters } = error;
  return { isScienceError: true, package: packageName, code, message, parameters };
}

/** Whether a value is what `toPlain` made. */
export const isPlainError = (value: unknown): value is PlainError =>
  typeof value === 'object' && value !== null && 'isScienceError' in value && value.isScienceError === true;

/** The error again; its stack begins here. */
export const fromPlain = ({ package: packageName, code, message, parameters }: PlainError): ScienceError =>
  new ScienceError(packageName, code, message, parameters);
