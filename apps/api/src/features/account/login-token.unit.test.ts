import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { loginTokens } from './login-token.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a login token', () => {
  it('has only one accepted encoding: no padding, no spare bits, no other alphabet', async () => {
    const tokens = loginTokens(Buffer.alloc(32, 1));
    for (let i = 0; i < 20; i++) {
      const token = await tokens.sign(randomUUID(), 7, 60);
      const last = ALPHABET.indexOf(token.at(-1) ?? '');
      // 43 characters encode 258 bits, of which 256 are used: the last two are spare.
      const spellings = [1, 2, 3].map((bits) => token.slice(0, -1) + ALPHABET[last ^ bits]);
      const classic = token.replace(/[^.]*$/, (text) => text.replaceAll('-', '+').replaceAll('_', '/'));
      for (const other of [`${token}=`, `${token}==`, ...spellings, ...(classic === token ? [] : [classic])])
        await expect(tokens.read(other)).rejects.toMatchObject({ code: 'auth.invalid' });
      expect(await tokens.read(token)).toMatchObject({ accountId: 7 });
    }
  });

  const KEY = Buffer.alloc(32, 1);
  /** A token in the form of another implementation, correctly signed with HMAC-SHA-256. */
  function written(header: object, payload: object, key = KEY): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part(header)}.${part(payload)}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  }
  const now = Math.floor(Date.now() / 1000);
  const right = { jti: randomUUID(), sub: '7', aud: 'unitcell', iat: now, exp: now + 60 };
  const HS256 = { alg: 'HS256', typ: 'JWT' };

  it('is accepted in any standard form that is signed with our key', async () => {
    expect(await loginTokens(KEY).read(written(HS256, right))).toEqual({
      sessionId: right.jti,
      accountId: 7,
    });
  });

  it.each([
    ['another audience', HS256, { ...right, aud: 'another' }, KEY],
    ['no audience', HS256, { ...right, aud: undefined }, KEY],
    ['no end', HS256, { ...right, exp: undefined }, KEY],
    ['a beginning that has not come', HS256, { ...right, nbf: now + 600 }, KEY],
    ['no session', HS256, { ...right, jti: undefined }, KEY],
    ['no account', HS256, { ...right, sub: undefined }, KEY],
    ['another algorithm', { ...HS256, alg: 'HS512' }, right, KEY],
    ['no algorithm', { ...HS256, alg: 'none' }, right, KEY],
    [
      'a key of its own',
      { ...HS256, jwk: { kty: 'oct', k: Buffer.alloc(32, 2).toString('base64url') } },
      right,
      Buffer.alloc(32, 2),
    ],
    [
      'the address of a key',
      { ...HS256, jku: 'http://127.0.0.1/keys', kid: '../../dev/null' },
      right,
      Buffer.alloc(0),
    ],
  ])('is rejected with %s', async (_name, header, payload, key) => {
    await expect(loginTokens(KEY).read(written(header, payload, key))).rejects.toMatchObject({
      code: 'auth.invalid',
    });
  });

  it('expires even if it is in the cache', async () => {
    const tokens = loginTokens(KEY);
    const token = written(HS256, right);
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(right.exp * 1000 - 1);
      for (let i = 0; i < 2; i++) expect(await tokens.read(token)).toMatchObject({ accountId: 7 });
      vi.setSystemTime(right.exp * 1000 + 1);
      await expect(tokens.read(token)).rejects.toMatchObject({ code: 'auth.expired' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is valid for the lifetime stated when it was signed', async () => {
    const tokens = loginTokens(KEY);
    const [, payload = ''] = (await tokens.sign(right.jti, 7, 90)).split('.');
    const { iat, exp, ...rest } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect([exp - iat, rest]).toEqual([90, { jti: right.jti, sub: '7', aud: 'unitcell' }]);
  });

  it('is reported as expired after its lifetime', async () => {
    await expect(loginTokens(KEY).read(written(HS256, { ...right, exp: now - 1 }))).rejects.toMatchObject({
      code: 'auth.expired',
    });
  });
});
