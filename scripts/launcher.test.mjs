import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forTerminal, startChild } from './lib/children.mjs';
import { loadDotEnv } from './lib/environment.mjs';
import { openRegister, takeLock, withLock } from './lib/lock.mjs';
import { inRepository } from './lib/paths.mjs';
import { checkDiskSpace } from './lib/preflight.mjs';
import { capture } from './lib/run.mjs';
import { embeddedSecret } from './lib/secret.mjs';
import { explain } from './lib/sentence.mjs';

/** A loaded machine may take its time; how long is not what is tested. */
const PATIENCE = { timeout: 20_000 };

let home;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unitcell-launcher-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs `npm start`'s program; every case here fails before anything is installed or started. */
function up(env, ...nodeArgs) {
  const inherited = { ...process.env, PORT: '', HOST: '', DATABASE_URL: '', UNITCELL_HOME: home, ...env };
  return capture(process.execPath, [...nodeArgs, inRepository('scripts/up.mjs')], {
    env: inherited,
    timeoutMs: 20_000,
  });
}

/** A module run before the program, to put a fake in place. */
const preload = (source) => ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

/** A dead process' id: that of a child which has ended. */
async function deadPid() {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((done) => {
    child.on('close', done);
  });
  return child.pid;
}

describe('npm start says in one sentence', () => {
  it('that the port is busy, and how to take another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => {
      server.once('listening', done);
    });
    const { port } = server.address();
    const { code, output } = await up({ PORT: String(port) });
    server.close();
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
    );
  });

  it('that it is running already', async () => {
    writeFileSync(
      join(home, 'up.lock'),
      JSON.stringify({ pid: process.pid, address: 'http://127.0.0.1:3000' }),
    );
    const { code, output } = await up({});
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^Unitcell is already running here \(process \d+, http:\/\/127\.0\.0\.1:3000\)\. Stop it/,
    );
    expect(output.trim()).not.toContain('\n');
  });

  it('which Node it needs', async () => {
    const fake =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.1' } });";
    const { code, output } = await up({}, ...preload(fake));
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^Unitcell needs Node 20\.19 or newer; this is Node 18\.20\.1\. Install a newer one/,
    );
  });

  it('that the disk is full', async () => {
    const fake = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.statfsSync = () => ({ bavail: 1024, bsize: 4096 }); syncBuiltinESMExports();`;
    const { code, output } = await up({}, ...preload(fake));
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^Not enough disk space: 4 MiB free in .*, \d+ MiB needed\. Free some space/,
    );
  });

  it('that PORT is no port and HOST no address of this machine', async () => {
    expect((await up({ PORT: '80 80' })).output.trim()).toMatch(/^PORT=80 80 is not a port/);
    expect((await up({ PORT: '45991', HOST: '192.0.2.1' })).output.trim()).toMatch(
      /^This machine has no address 192\.0\.2\.1/,
    );
  });

  it("which settings a database of one's own needs", async () => {
    const env = { DATABASE_URL: 'postgresql://u:p@localhost/x', JWT_SECRET: 'x'.repeat(40), PUBLIC_URL: '' };
    expect((await up(env)).output.trim()).toMatch(/^With DATABASE_URL, PUBLIC_URL must be set too/);
  });

  it('that the data directory cannot be made', async () => {
    writeFileSync(join(home, 'file'), '');
    const { code, output } = await up({ UNITCELL_HOME: join(home, 'file', 'data') });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^The data directory .* cannot be made \(ENOTDIR\)\. Set UNITCELL_HOME/);
  });

  it('nothing of its lock after it failed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => {
      server.once('listening', done);
    });
    await up({ PORT: String(server.address().port) });
    server.close();
    expect(() => statSync(join(home, 'up.lock'))).toThrow('ENOENT');
  });
});

describe('checkDiskSpace', () => {
  it('measures the nearest directory that exists', () => {
    const asked = [];
    const statfs = (path) => {
      asked.push(path);
      return { bavail: 1000, bsize: 4096 };
    };
    checkDiskSpace(join(home, 'not', 'yet'), 4_000_000, statfs);
    expect(asked).toEqual([home]);
    expect(() => checkDiskSpace(home, 5_000_000, statfs)).toThrow('3 MiB free');
  });
});

describe('explain', () => {
  it('has a sentence for a disk that fills up on the way', () => {
    expect(explain(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toMatch(/^The disk is full\./);
    expect(explain(new Error('could not extend file: No space left on device'))).toMatch(
      /^The disk is full\./,
    );
  });
});

describe('locks', () => {
  it('are taken over from a process that is gone', async () => {
    const file = join(home, 'lock');
    writeFileSync(file, JSON.stringify({ pid: await deadPid() }));
    const lock = takeLock(file, { address: 'here' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pid: process.pid, address: 'here' });
    lock.release();
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('are waited for while their holder lives', async () => {
    const file = join(home, 'lock');
    const holder = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 300)'], { stdio: 'ignore' });
    writeFileSync(file, JSON.stringify({ pid: holder.pid }));
    const waitedFor = [];
    const result = await withLock(file, async () => holder.exitCode, {
      onWait: ({ pid }) => waitedFor.push(pid),
    });
    expect(waitedFor).toEqual([holder.pid]);
    expect(result).toBe(0);
  });

  it('count the living users of something shared', async () => {
    const register = openRegister(join(home, 'users'));
    register.enter();
    writeFileSync(join(home, 'users', String(await deadPid())), '');
    writeFileSync(join(home, 'users', String(process.ppid)), '');
    expect(register.leave()).toBe(1);
  });
});

describe('embeddedSecret', () => {
  it('is made once and readable by its owner only', () => {
    const secret = embeddedSecret(home);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(embeddedSecret(home)).toBe(secret);
    expect(statSync(join(home, 'jwt-secret')).mode & 0o777).toBe(0o600);
  });
});

describe('loadDotEnv', () => {
  it('reads assignments, quotes and comments; the environment wins', () => {
    const file = join(home, '.env');
    writeFileSync(
      file,
      '# PORT=1\nPORT=4000\nexport HOST = 0.0.0.0 # all\nJWT_SECRET="a b#c"\nREDIS_URL=\nLOG_LEVEL=info\n',
    );
    const env = { LOG_LEVEL: 'debug' };
    loadDotEnv(env, file);
    expect(env).toEqual({ LOG_LEVEL: 'debug', PORT: '4000', HOST: '0.0.0.0', JWT_SECRET: 'a b#c' });
  });
});

describe('forTerminal', () => {
  it('shows text as it is and records only from warnings up', () => {
    expect(forTerminal('api', 'SMS code for 138****0000 (login): 123456')).toBe(
      'SMS code for 138****0000 (login): 123456',
    );
    expect(forTerminal('api', '{"level":30,"msg":"request completed"}')).toBeUndefined();
    expect(forTerminal('api', '{"level":50,"reqId":"r7","msg":"failed","err":{"message":"boom"}}')).toBe(
      '  ✗  api [r7] failed: boom',
    );
    expect(forTerminal('api', '{not json')).toBe('{not json');
  });
});

describe('startChild', () => {
  const child = (script, print = () => undefined) => {
    const path = join(home, 'child.mjs');
    writeFileSync(path, script);
    return startChild({ name: 'child', script: path, env: process.env, logDirectory: home, print });
  };

  it('writes a log, prints text, and reports how the child ended', async () => {
    const printed = [];
    const { exited } = child(
      "console.log('hello'); console.error('bad luck'); process.exitCode = 3;",
      (line) => printed.push(line),
    );
    const ended = await exited;
    expect(ended).toMatchObject({ name: 'child', how: 'exit code 3', lastErrors: ['bad luck'] });
    expect(printed).toEqual(['hello']);
    await expect.poll(() => readFileSync(ended.logFile, 'utf8'), PATIENCE).toContain('hello');
  });

  it('lets the child finish when stopped', async () => {
    const printed = [];
    const script =
      "setInterval(() => 0, 1000); process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); console.log('up');";
    const { stop, exited, isRunning } = child(script, (line) => printed.push(line));
    await expect.poll(() => printed, PATIENCE).toContain('up');
    await stop();
    expect(isRunning()).toBe(false);
    expect(await exited).toMatchObject({ how: 'exit code 0' });
    expect(printed).toEqual(['up', 'bye']);
  });

  it('leaves no child behind when the launcher is killed', async () => {
    const launcher = join(home, 'launcher.mjs');
    const inner = join(home, 'inner.mjs');
    writeFileSync(inner, 'console.log(process.pid); setInterval(() => 0, 1000);');
    const { href } = new URL('./lib/children.mjs', import.meta.url);
    const options = JSON.stringify({ name: 'inner', script: inner, logDirectory: home });
    writeFileSync(
      launcher,
      `import { startChild } from '${href}'; startChild({ ...${options}, env: process.env });`,
    );
    const process1 = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise((done) => {
      process1.stdout.once('data', (chunk) => done(Number(chunk)));
    });
    process1.kill('SIGKILL');
    const alive = () => {
      try {
        return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    };
    await expect.poll(alive, PATIENCE).toBe(false);
  });
});
