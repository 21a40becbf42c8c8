/**
 * Values that can be converted to JSON and back, so that a parameter can be part of thread messages, logs and answers.
 */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

export type ErrorParameters = Readonly<Record<string, PlainValue>>;

/**
 * An error of a science package. The English message states what was found, what was expected and what to do; `code`
 * and `parameters` contain the same information for programs and for translated texts.
 *
 * @example
 * try { parseFormula('Li2Xx'); } catch (error) { if (error instanceof ScienceError) error.id; } // 'crystal.formula'
 *
 * Each package has its own subclass, which fills in the package name and narrows the codes. An error from another
 * thread is only a ScienceError, so identify it by `package` and `code`, not by its class.
 */
export class ScienceError<Code extends string = string> extends Error {
  override readonly name = 'ScienceError';
  /** Name of the package without its scope: `crystal`. */
  readonly package: string;
  readonly code: Code;
  readonly parameters: ErrorParameters;

  constructor(packageName: string, code: Code, message: string, parameters: ErrorParameters = {}) {
    super(message);
    this.package = packageName;
    this.code = code;
    this.parameters = parameters;
  }

  /** `package.code`, the key of its text. */
  get id(): string {
    return `${this.package}.${this.code}`;
  }
}

/**
 * A ScienceError as plain data. Structured cloning keeps only name, message and stack of an error, so code and parameters
 * would be lost between threads.
 */
export interface PlainError {
  /** Distinguishes this object from other values that a thread may send. */
  readonly isScienceError: true;
  readonly package: string;
  readonly code: string;
  readonly message: string;
  readonly parameters: ErrorParameters;
}

/** The error as plain data, or undefined if it does not come from a science package. */
export function toPlain(error: unknown): PlainError | undefined {
  if (!(error instanceof ScienceError)) return undefined;
  const { package: packageName, code, message, parameters } = error;
  return { isScienceError: true, package: packageName, code, message, parameters };
}

/** Whether a value was made by `toPlain`. */
export const isPlainError = (value: unknown): value is PlainError =>
  typeof value === 'object' && value !== null && 'isScienceError' in value && value.isScienceError === true;

/** Restores the error; its stack starts at this call. */
export const fromPlain = ({ package: packageName, code, message, parameters }: PlainError): ScienceError =>
  new ScienceError(packageName, code, message, parameters);
