import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromPlain, isPlainError, ScienceError, toPlain } from './index.ts';

/** The value that a thread receives when another one posts `value`. */
function posted(value: unknown): unknown {
  const { port1, port2 } = new MessageChannel();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  port1.postMessage(value);
  const received = receiveMessageOnPort(port2) as { readonly message: unknown };
  port1.close();
  return received.message;
}

class OwnError extends ScienceError<'bad'> {
  constructor(message: string) {
    super('own', 'bad', message, { found: 3, names: ['a'] });
  }
}

it('an error converted by toPlain arrives unchanged in another thread, for any parameters', () => {
  const words = fc.string({ minLength: 1 });
  const parameters = fc.dictionary(
    fc.constantFrom('found', 'limit', 'subjects', 'reason'),
    fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as string),
  );
  fc.assert(
    fc.property(words, words, fc.string(), parameters, (packageName, code, message, own) => {
      const error = new ScienceError(packageName, code, message, own);
      const received = posted(toPlain(error));
      expect(isPlainError(received)).toBe(true);
      if (!isPlainError(received)) return;
      const back = fromPlain(received);
      expect(back).toBeInstanceOf(ScienceError);
      expect([back.id, back.message, back.parameters]).toEqual([error.id, error.message, error.parameters]);
    }),
    { seed: 1, numRuns: 200 },
  );
});

it("toPlain keeps code and parameters of a package's error class, and posting the error directly loses them", () => {
  const error = new OwnError('3 found: expected 4, add one');
  const plain = posted(toPlain(error));
  expect(isPlainError(plain) && fromPlain(plain)).toMatchObject({
    id: 'own.bad',
    message: '3 found: expected 4, add one',
    parameters: { found: 3, names: ['a'] },
  });
  expect(posted(error)).not.toHaveProperty('code');
});

it('toPlain ignores values and errors that are not science errors', () => {
  for (const value of [new Error('x'), null, undefined, 1, 'x', {}, { isScienceError: false }]) {
    expect(toPlain(value)).toBeUndefined();
    expect(isPlainError(value)).toBe(false);
  }
});
