/**
 * Stands in for zod in the contract package when the client is built (see vite.config.ts): every way of describing a
 * schema gives another description, none of which checks anything. Types still come from the real library.
 */
const CHECKS = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync']);

const refuse = (): never => {
  throw new Error('The client is built without the validator: check contract data on the server.');
};

interface Description {
  (...parts: readonly unknown[]): Description;
  readonly [name: string]: Description;
}

const describe: Description = new Proxy((() => undefined) as unknown as Description, {
  get: (_, name) => (typeof name === 'string' && CHECKS.has(name) ? refuse : describe),
  apply: () => describe,
});

export const z = describe;
