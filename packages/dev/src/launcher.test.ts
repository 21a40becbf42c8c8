import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forTerminal, openLog, startChild } from './children.ts';
import { loadDotEnv } from '../../../scripts/lib/dot-env.mjs';
import { openDatabase } from './environment.ts';
import { keepRunning } from './keep-running.ts';
import { isAlive, openRegister, takeLock, withLock } from '../../../scripts/lib/lock.mjs';
import { inRepository, siteLock } from '../../../scripts/lib/paths.mjs';
import { checkDiskSpace, prepareHome } from '../../../scripts/lib/preflight.mjs';
import { capture } from '../../../scripts/lib/run.mjs';
import { embeddedSecret } from './secret.ts';
import { explain } from '../../../scripts/lib/sentence.mjs';
import { serviceUnit } from './service-unit.ts';
import { findProgram } from './system-packages.ts';

/** A loaded machine may take its time; how long is not what is tested. */
const PATIENCE = { timeout: 60_000 };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unitcell-launcher-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const upFile = inRepository('scripts/up.mjs');

/** Runs `npm start`'s program; every case here fails before anything is installed or started. */
function up(env: NodeJS.ProcessEnv, ...nodeArgs: string[]) {
  const inherited = { ...process.env, PORT: '', HOST: '', DATABASE_URL: '', UNITCELL_HOME: home, ...env };
  return capture(process.execPath, [...nodeArgs, upFile], {
    env: inherited,
    timeoutMs: 20_000,
  });
}

/** A module run before the program, to put a fake in place. */
const preload = (source: string) => ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

const portOf = (server: Server) => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

/** A dead process' id: that of a child which has ended. */
async function deadPid(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return child.pid;
}

describe('npm start says in one sentence', () => {
  it('that the port is busy, and how to take another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server);
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

  it('that too few files may be open', async () => {
    const { code, output } = await capture(
      'sh',
      ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, upFile],
      {
        env: { ...process.env, UNITCELL_HOME: home, DATABASE_URL: '' },
      },
    );
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^This process may open only 64 files at a time; .* Raise the limit/);
  });

  it('nothing of its lock after it failed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    await up({ PORT: String(portOf(server)) });
    server.close();
    expect(() => statSync(join(home, 'up.lock'))).toThrow('ENOENT');
  });
});

describe('prepareHome', () => {
  it('closes the data directory to others', () => {
    const open = join(home, 'open');
    mkdirSync(open, { mode: 0o755 });
    prepareHome(open);
    // Root's PostgreSQL runs as nobody, who has to get through.
    const closed = process.getuid?.() === 0 ? { mode: 0o710, gid: 65_534 } : { mode: 0o700 };
    const { mode, gid } = statSync(open);
    expect({ mode: mode & 0o777, gid }).toMatchObject(closed);
  });

  it('leaves a directory alone that belongs to all', () => {
    const shared = join(home, 'tmp');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    prepareHome(shared);
    expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  });
});

describe('openDatabase', () => {
  it('starts no second server beside a site whose database is away, and says so after a while', async () => {
    const site = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
    const holder = { pid: site.pid, address: 'http://127.0.0.1:3000', databasePort: 5555 };
    writeFileSync(siteLock(home), JSON.stringify(holder));
    await expect(openDatabase({ UNITCELL_HOME: home }, { patienceMs: 300 })).rejects.toThrow(
      `The site that runs here (process ${site.pid}, http://127.0.0.1:3000) has been without its database`,
    );
    site.kill();
    expect(existsSync(join(home, 'postgres/data'))).toBe(false);
  });
});

describe('serviceUnit', () => {
  it('is what systemd accepts', async ({ skip }) => {
    if (findProgram(['systemd-analyze']) === undefined) skip('systemd-analyze is not on this machine');
    const file = join(home, 'unitcell.service');
    writeFileSync(
      file,
      serviceUnit({ system: true, env: { UNITCELL_HOME: '/srv/100% "ours"', PORT: '3400' } }),
    );
    expect(await capture('systemd-analyze', ['verify', file])).toEqual({ code: 0, output: '' });
    expect(readFileSync(file, 'utf8')).toContain('Environment="UNITCELL_HOME=/srv/100%% \\"ours\\""');
    // A unit of a user, as the manager of that user reads it.
    writeFileSync(file, serviceUnit({ system: false, env: { UNITCELL_HOME: home, PORT: '3400' } }));
    const env = { ...process.env, XDG_RUNTIME_DIR: home };
    expect(await capture('systemd-analyze', ['verify', '--user', file], { env })).toEqual({
      code: 0,
      output: '',
    });
  });

  it('holds no secret, and a unit of a user names none', () => {
    const unit = serviceUnit({ system: false, env: { DATABASE_URL: 'postgresql://u:hunter2@h/d' } });
    expect(unit).not.toContain('hunter2');
    expect(unit).not.toContain('User=');
    expect(unit).toContain('WantedBy=default.target');
  });
});

describe('checkDiskSpace', () => {
  it('measures the nearest directory that exists', () => {
    const asked: string[] = [];
    const statfs = (path: string) => {
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
    if (!lock.holder) lock.release();
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('are waited for while their holder lives', async () => {
    const file = join(home, 'lock');
    const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    writeFileSync(file, JSON.stringify({ pid: holder.pid }));
    const waitedFor: number[] = [];
    const result = await withLock(file, async () => isAlive(holder.pid ?? 0), {
      onWait: ({ pid }) => {
        waitedFor.push(pid);
        holder.stdin.end();
      },
    });
    expect(waitedFor).toEqual([holder.pid]);
    expect(result).toBe(false);
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
    const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'debug' };
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

describe('openLog', () => {
  const text = (name: string) => readFileSync(join(home, name), 'utf8');

  it('puts a large file aside while it is written, keeps three, and loses no line', async () => {
    const log = openLog(home, 'api', 50);
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i} ${'x'.repeat(20)}`);
    for (const line of lines) log.write(line);
    await expect.poll(() => text('api.log'), PATIENCE).toContain('line 39');
    const files = readdirSync(home).sort();
    expect(files).toEqual(['api.log', 'api.log.1', 'api.log.2', 'api.log.3']);
    const kept = ['api.log.3', 'api.log.2', 'api.log.1', 'api.log'].map(text).join('').trimEnd().split('\n');
    expect(kept).toEqual(lines.slice(-kept.length));
    for (const name of files) expect(statSync(join(home, name)).size).toBeLessThan(120);
    log.close();
  });

  it('is readable by its owner only, also one that was not', () => {
    writeFileSync(join(home, 'api.log'), '', { mode: 0o644 });
    openLog(home, 'api').close();
    expect(statSync(join(home, 'api.log')).mode & 0o777).toBe(0o600);
  });
});

describe('keepRunning', () => {
  it('starts again what ended, waits longer each time, and stops when asked', async () => {
    const waits: number[] = [];
    let ended: (how: { how: string }) => void = () => undefined;
    const kept = keepRunning(
      () => ({
        exited: new Promise<{ how: string }>((done) => (ended = done)),
        stop: async () => ended({ how: 'stopped' }),
      }),
      (_how, waitMs) => waits.push(waitMs),
    );
    ended({ how: 'exit code 1' });
    const first = ended;
    await expect.poll(() => ended === first, PATIENCE).toBe(false);
    ended({ how: 'exit code 1' });
    await expect.poll(() => waits, PATIENCE).toEqual([500, 1000]);
    await kept.stop();
    expect(waits).toEqual([500, 1000]);
  });
});

describe('startChild', () => {
  const child = (script: string, print: (line: string) => void = () => undefined) => {
    const path = join(home, 'child.mjs');
    writeFileSync(path, script);
    return startChild({ name: 'child', script: path, env: process.env, logDirectory: home, print });
  };

  it('keeps text out of the log: login codes are for the terminal alone', async () => {
    const printed: string[] = [];
    const { exited } = child(
      "console.log('SMS code for 138****0000 (login): 123456'); console.log(JSON.stringify({ level: 30, msg: 'sent' }));",
      (line) => printed.push(line),
    );
    const { logFile } = await exited;
    await expect.poll(() => readFileSync(logFile, 'utf8'), PATIENCE).toBe('{"level":30,"msg":"sent"}\n');
    expect(printed).toEqual(['SMS code for 138****0000 (login): 123456']);
  });

  it('writes a log, prints text, and reports how the child ended', async () => {
    const printed: string[] = [];
    const { exited } = child(
      "console.log('hello'); console.error('bad luck'); process.exitCode = 3;",
      (line) => printed.push(line),
    );
    const ended = await exited;
    expect(ended).toMatchObject({ name: 'child', how: 'exit code 3', lastErrors: ['bad luck'] });
    expect(printed).toEqual(['hello']);
    await expect.poll(() => readFileSync(ended.logFile, 'utf8'), PATIENCE).toBe('bad luck\n');
  });

  it('lets the child finish when stopped', async () => {
    const printed: string[] = [];
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
    const { href } = new URL('./children.ts', import.meta.url);
    const options = JSON.stringify({ name: 'inner', script: inner, logDirectory: home });
    writeFileSync(
      launcher,
      `import { startChild } from '${href}'; startChild({ ...${options}, env: process.env });`,
    );
    const process1 = spawn(process.execPath, ['--import', 'tsx', launcher], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((done) => {
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
