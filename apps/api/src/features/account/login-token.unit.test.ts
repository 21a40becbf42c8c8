import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loginTokens } from './login-token.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a login token', () => {
  it('has one spelling: no padding, no spare bits, no other alphabet', () => {
    const tokens = loginTokens(Buffer.alloc(32, 1));
    for (let i = 0; i < 20; i++) {
      const token = tokens.sign(randomUUID(), 7, 60);
      const last = ALPHABET.indexOf(token.at(-1) ?? '');
      // 43 characters hold 258 bits of 256: the last two are spare.
      const spellings = [1, 2, 3].map((bits) => token.slice(0, -1) + ALPHABET[last ^ bits]);
      const classic = token.replace(/[^.]*$/, (text) => text.replaceAll('-', '+').replaceAll('_', '/'));
      for (const other of [`${token}=`, `${token}==`, ...spellings, ...(classic === token ? [] : [classic])])
        expect(() => tokens.read(other)).toThrow(expect.objectContaining({ code: 'auth.invalid' }));
      expect(tokens.read(token)).toMatchObject({ accountId: 7 });
    }
  });
});
