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
