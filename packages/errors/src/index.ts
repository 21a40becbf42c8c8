/** What JSON holds, so that a parameter survives a message to another thread, a log and an answer. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

export type ErrorParameters = Readonly<Record<string, PlainValue>>;

/**
 * A refusal of a science package. The message says in English what was found, what was expected and what to do; `code` and
 * `parameters` say the same to a program, for texts in other languages.
 *
 * Each package has a class of its own that fills in its name and narrows the codes. An error that came from another thread is
 * a ScienceError only: tell it by `package` and `code`, not by the class.
 */
export class ScienceError<Code extends string = string> extends Error {
  override readonly name = 'ScienceError';
  /** Name of the package without its scope, as in `crystal`. */
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

/**
 * The one kind of error that the science packages throw, and its way between threads.
 *
 * @example
 * try { parseFormula('Li2Xx'); } catch (error) { if (error instanceof ScienceError) error.id; } // 'crystal.formula'
 */
