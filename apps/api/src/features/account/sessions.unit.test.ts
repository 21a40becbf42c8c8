import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../messages/app-error.ts';
import type { Identity } from '../../http/auth.ts';
import { sessionCache } from './session-cache.ts';
import { deviceName, maskAddress, loginTokens } from './sessions.ts';
import { createHmac, randomUUID } from 'node:crypto';

const A_MINUTE = 60_000;

/** A fake database that answers on command, in the order of the queries. */
function database() {
  const questions: { resolve: (identity: Identity) => void; reject: (error: Error) => void }[] = [];
  let lookUps = 0;
  return {
    lookUp: () => {
      lookUps++;
      return new Promise<Identity>((resolve, reject) => questions.push({ resolve, reject }));
    },
    answer: (accountId: number) => questions.shift()?.resolve({ accountId, sessionId: 's', userType: 1 }),
    refuse: (error: Error) => questions.shift()?.reject(error),
    count: () => lookUps,
  };
}

describe('sessionCache', () => {
  it('looks a session up once for repeated and for concurrent requests', async () => {
    const db = database();
    const cache = sessionCache(db.lookUp, A_MINUTE);
    cache.listening();
    const answers = Promise.all([cache.get('s', 1), cache.get('s', 1), cache.get('s', 1)]);
    db.answer(1);
    expect(await answers).toHaveLength(3);
    await cache.get('s', 1);
    expect(db.count()).toBe(1);
  });

  it('looks a session up again only after an announcement about it or its account', async () => {
    const db = database();
    const cache = sessionCache(db.lookUp, A_MINUTE);
    cache.listening();
    const get = async () => {
      const answer = cache.get('s', 1);
      db.answer(1);
      await answer;
    };
    await get();
    cache.forgetSession('another');
    cache.forgetAccount(2);
    await get();
    expect(db.count()).toBe(1);
    cache.forgetSession('s');
    await get();
    expect(db.count()).toBe(2);
    cache.forgetAccount(1);
    await get();
    expect(db.count()).toBe(3);
  });

  it('neither keeps nor shares a look-up that began before an announcement', async () => {
    const db = database();
    const cache = sessionCache(db.lookUp, A_MINUTE);
    cache.listening();
    const before = cache.get('s', 1);
    cache.forgetSession('s');
    const after = cache.get('s', 1);
    db.answer(1);
    await before;
    expect(db.count()).toBe(2);
    db.refuse(new AppError('auth.invalid'));
    await expect(after).rejects.toMatchObject({ code: 'auth.invalid' });
  });

  it('keeps no look-up that began while announcements could not be received', async () => {
    const db = database();
    const cache = sessionCache(db.lookUp, A_MINUTE);
    const deaf = cache.get('s', 1);
    const alsoDeaf = cache.get('s', 1);
    cache.listening();
    db.answer(1);
    db.answer(1);
    await Promise.all([deaf, alsoDeaf]);
    const first = cache.get('s', 1);
    db.answer(1);
    await first;
    expect(db.count()).toBe(3);
    cache.deaf();
    const again = cache.get('s', 1);
    db.answer(1);
    await again;
    expect(db.count()).toBe(4);
  });

  it('looks a session up again after a failure', async () => {
    const db = database();
    const cache = sessionCache(db.lookUp, A_MINUTE);
    cache.listening();
    const failed = cache.get('s', 1);
    db.refuse(new Error('no connection'));
    await expect(failed).rejects.toThrow('no connection');
    const second = cache.get('s', 1);
    db.answer(1);
    expect(await second).toMatchObject({ accountId: 1 });
  });

  describe('sessionCache with a stale entry', () => {
    beforeEach(() => void vi.useFakeTimers().advanceTimersByTime(1));
    afterEach(() => void vi.useRealTimers());

    it.each([
      ['is answered at once and looked up beside it', () => ({ accountId: 1 }), 2],
      ['is forgotten when it turns out to have ended', () => new AppError('auth.invalid'), 3],
      ['is kept when the database does not answer', () => new Error('no connection'), 3],
    ])('%s', async (_name, outcome, expectedLookUps) => {
      const db = database();
      const cache = sessionCache(db.lookUp, A_MINUTE);
      cache.listening();
      const first = cache.get('s', 1);
      db.answer(1);
      await first;
      await vi.advanceTimersByTimeAsync(A_MINUTE + 1000);
      expect(await cache.get('s', 1)).toMatchObject({ accountId: 1 });
      expect(db.count()).toBe(2);
      const found = outcome();
      if (found instanceof Error) db.refuse(found);
      else db.answer(1);
      await vi.advanceTimersByTimeAsync(1000);
      void cache.get('s', 1);
      expect(db.count()).toBe(expectedLookUps);
    });

    it('drops the entry after five times the fresh period', async () => {
      const db = database();
      const cache = sessionCache(db.lookUp, A_MINUTE);
      cache.listening();
      const first = cache.get('s', 1);
      db.answer(1);
      await first;
      await vi.advanceTimersByTimeAsync(5 * A_MINUTE + 1000);
      const later = cache.get('s', 1);
      db.refuse(new AppError('auth.invalid'));
      await expect(later).rejects.toMatchObject({ code: 'auth.invalid' });
    });
  });
});

describe('deviceName', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['unitcell token', 'unitcell token'],
    ['curl/8.5.0\u202e<b>', 'curl/8.5.0<b>'],
    ['', ''],
  ])('names the browser and system of %j as %j', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });
});

describe('maskAddress', () => {
  it.each([
    ['192.0.2.17', '192.0.2.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:*'],
    ['', ''],
    ['command line', 'command line'],
  ])('masks %j as %j', (address, masked) => {
    expect(maskAddress(address)).toBe(masked);
  });
});

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
