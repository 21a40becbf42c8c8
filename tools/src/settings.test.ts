import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { capture } from '../lib/run.mjs';
import { inRepository } from '../lib/paths.mjs';
import { completeSettings } from '../lib/settings.mjs';
import { waitForDatabase } from './database.ts';
import { freePort } from './postgres.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unitcell-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (text: string): string => {
  const file = join(folder, 'secret');
  writeFileSync(file, text);
  return file;
};

describe('secrets as files', () => {
  it('are read without the line end that editors add, and otherwise unchanged', () => {
    const env: NodeJS.ProcessEnv = { JWT_SECRET_FILE: fileWith(' a b\n\r\n'), PORT: '1' };
    completeSettings(env);
    expect(env).toEqual({ JWT_SECRET: ' a b\n', PORT: '1' });
  });

  it('replace a variable that is set but empty, as docker compose sets them', () => {
    const env: NodeJS.ProcessEnv = { JWT_SECRET: '', JWT_SECRET_FILE: fileWith('x') };
    completeSettings(env);
    expect(env.JWT_SECRET).toBe('x');
  });

  it('are refused if the variable is set too, or if the file cannot be read', () => {
    const twice = { METRICS_TOKEN: 'x', METRICS_TOKEN_FILE: fileWith('y') };
    expect(() => completeSettings(twice)).toThrow('METRICS_TOKEN and METRICS_TOKEN_FILE are both set');
    const missing = { REDIS_URL_FILE: join(folder, 'nowhere') };
    expect(() => completeSettings(missing)).toThrow(/REDIS_URL_FILE names .*nowhere.*ENOENT/);
  });
});

describe('the address of the database', () => {
  const urlOf = (env: NodeJS.ProcessEnv) => {
    completeSettings(env);
    return env.DATABASE_URL ?? '';
  };

  it.each(['Zx/9+aQ==', 'p@ss/w#1', '%41:?&', 'a b', '\'"\\', '密码'])(
    'contains the password %s',
    (password) => {
      const url = urlOf({ DATABASE_URL: '', DATABASE_HOST: 'postgres', DATABASE_PASSWORD: password });
      const client = new pg.Client({ connectionString: url });
      expect([client.host, client.port, client.user, client.password, client.database]).toEqual([
        'postgres',
        5432,
        'unitcell',
        password,
        'unitcell',
      ]);
    },
  );

  it('encodes any password, user and database name', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((t) => !/\p{Cs}/u.test(t));
    fc.assert(
      fc.property(text, text, text, (password, user, name) => {
        const env = { DATABASE_HOST: '::1', DATABASE_PORT: '6000', DATABASE_USER: user };
        const url = urlOf({ ...env, DATABASE_PASSWORD: password, DATABASE_NAME: name });
        const read = new URL(url);
        expect(decodeURIComponent(read.password)).toBe(password);
        expect(decodeURIComponent(read.username)).toBe(user);
        expect(decodeURIComponent(read.pathname.slice(1))).toBe(name);
        expect(read.host).toBe('[::1]:6000');
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('is not changed when one is given', () => {
    const given = 'postgresql://central:5432/u';
    expect(urlOf({ DATABASE_URL: given, DATABASE_HOST: 'postgres', DATABASE_PASSWORD: 'x' })).toBe(given);
    expect(urlOf({ DATABASE_PASSWORD: 'x' })).toBe('');
  });
});

describe('the entry point of a container', () => {
  const begin = (words: string[], env: Record<string, string>) =>
    capture(process.execPath, [inRepository('tools/container.mjs'), ...words], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });

  it('refuses unknown programs and unreadable secrets with a readable message', async () => {
    expect(await begin(['shell'], {})).toMatchObject({ code: 1, output: expect.stringContaining('"shell"') });
    const { code, output } = await begin(['cli', '--help'], { JWT_SECRET_FILE: '/nowhere' });
    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect(output).toContain('JWT_SECRET_FILE names /nowhere');
  });
});

describe('waitForDatabase', () => {
  it('keeps trying while the server is not running yet', async () => {
    const port = await freePort();
    const server = createServer((socket) => {
      // The server answers and refuses this name, so waiting would not help.
      const fields = `SFATAL\0C28000\0Mnot you\0\0`;
      const head = Buffer.from([0x45, 0, 0, 0, 4 + fields.length]);
      socket.once('data', () => socket.end(Buffer.concat([head, Buffer.from(fields)])));
    });
    const reasons: string[] = [];
    const onWait = (reason: string) => {
      reasons.push(reason);
      if (!server.listening) server.listen(port, '127.0.0.1');
    };
    const url = `postgresql://unitcell@127.0.0.1:${port}/unitcell`;
    await expect(waitForDatabase(url, { timeoutMs: 60_000, onWait })).rejects.toThrow('not you');
    expect(reasons.at(0)).toBe(`no PostgreSQL at 127.0.0.1:${port} yet (ECONNREFUSED)`);
    server.close();
  });

  it('fails with a readable message after the time limit', async () => {
    const port = await freePort();
    await expect(
      waitForDatabase(`postgresql://127.0.0.1:${port}/unitcell`, { timeoutMs: 0 }),
    ).rejects.toThrow(`No PostgreSQL answered at 127.0.0.1:${port} for 0 s (ECONNREFUSED)`);
  });
});
