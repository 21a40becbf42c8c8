import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embeddedSecret, openDatabase } from './environment.ts';
import { isAlive, openRegister, takeLock, withLock } from '../lib/lock.mjs';
import { inRepository, siteLock } from '../lib/paths.mjs';
import { abinitAdvice, checkDiskSpace, prepareHome } from '../lib/preflight.mjs';
import { capture } from '../lib/run.mjs';
import { loadDotEnv } from '../lib/settings.mjs';
import { explain } from '../lib/user-error.mjs';
import { serviceUnit } from './service-unit.ts';
import { findProgram } from './system-programs.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unitcell-launcher-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const upFile = inRepository('tools/up.mjs');

/** Runs the program of `npm start`; every case fails before anything is installed or started. */
function up(env: NodeJS.ProcessEnv, ...nodeArgs: string[]) {
  const inherited = { ...process.env, PORT: '', HOST: '', DATABASE_URL: '', UNITCELL_HOME: home, ...env };
  return capture(process.execPath, [...nodeArgs, upFile], {
    env: inherited,
    timeoutMs: 20_000,
  });
}

/** A module loaded before the program, to install a fake. */
const preload = (source: string) => ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

const portOf = (server: Server) => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

/** The pid of a child that has ended. */
async function deadPid(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return child.pid;
}

describe('npm start', () => {
  it('states how to install ABINIT unless it is installed or another engine was chosen', () => {
    expect(abinitAdvice({ PATH: home })).toContain('sudo apt install abinit gpaw-data libopenblas0-pthread');
    expect(abinitAdvice({ PATH: home, RUN4U_ENGINE: 'vasp' })).toBe('');
    writeFileSync(join(home, 'abinit'), '');
    expect(abinitAdvice({ PATH: home })).toBe('');
  });

  it('states that the port is busy, and how to choose another port', async () => {
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

  it('states that a site is already running', async () => {
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

  it('states which version of Node is required', async () => {
    const fake =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.1' } });";
    const { code, output } = await up({}, ...preload(fake));
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^Unitcell needs Node 20\.19 or newer; this is Node 18\.20\.1\. Install a newer one/,
    );
  });

  it('states that the disk is full', async () => {
    const fake = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.statfsSync = () => ({ bavail: 1024, bsize: 4096 }); syncBuiltinESMExports();`;
    const { code, output } = await up({}, ...preload(fake));
    expect(code).toBe(1);
    expect(output.trim()).toMatch(
      /^Not enough disk space: 4 MiB free in .*, \d+ MiB needed\. Free some space/,
    );
  });

  it('states that PORT is not a port or HOST is not an address of this machine', async () => {
    expect((await up({ PORT: '80 80' })).output.trim()).toMatch(/^PORT=80 80 is not a port/);
    expect((await up({ PORT: '45991', HOST: '192.0.2.1' })).output.trim()).toMatch(
      /^This machine has no address 192\.0\.2\.1/,
    );
  });

  it('states which settings an external database requires', async () => {
    const env = { DATABASE_URL: 'postgresql://u:p@localhost/x', JWT_SECRET: 'x'.repeat(40), PUBLIC_URL: '' };
    expect((await up(env)).output.trim()).toMatch(/^With DATABASE_URL, PUBLIC_URL must be set too/);
  });

  it('states that the data directory cannot be created', async () => {
    writeFileSync(join(home, 'file'), '');
    const { code, output } = await up({ UNITCELL_HOME: join(home, 'file', 'data') });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^The data directory .* cannot be made \(ENOTDIR\)\. Set UNITCELL_HOME/);
  });

  it('states that the limit of open files is too low', async () => {
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

  it('leaves no lock behind after a failure', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    await up({ PORT: String(portOf(server)) });
    server.close();
    expect(() => statSync(join(home, 'up.lock'))).toThrow('ENOENT');
  });
});

describe('prepareHome', () => {
  it('restricts the data directory to its owner', () => {
    const open = join(home, 'open');
    mkdirSync(open, { mode: 0o755 });
    prepareHome(open);
    // Root's PostgreSQL runs as nobody, who must be able to pass through.
    const closed = process.getuid?.() === 0 ? { mode: 0o710, gid: 65_534 } : { mode: 0o700 };
    const { mode, gid } = statSync(open);
    expect({ mode: mode & 0o777, gid }).toMatchObject(closed);
  });

  it('does not change a directory that is open to all', () => {
    const shared = join(home, 'tmp');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    prepareHome(shared);
    expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  });
});

describe('openDatabase', () => {
  it('starts no second server when the database of a running site is down, and reports this after a while', async () => {
    const site = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
    const holder = { pid: site.pid, address: 'http://127.0.0.1:3000', databasePort: 5555 };
    writeFileSync(siteLock(home), JSON.stringify(holder));
    await expect(openDatabase({ UNITCELL_HOME: home }, { timeoutMs: 300 })).rejects.toThrow(
      `The running site (process ${site.pid}, http://127.0.0.1:3000) has been without its database`,
    );
    site.kill();
    expect(existsSync(join(home, 'postgres/data'))).toBe(false);
  });
});

describe('serviceUnit', () => {
  it('is accepted by systemd', async ({ skip }) => {
    if (findProgram(['systemd-analyze']) === undefined) skip('systemd-analyze is not on this machine');
    const file = join(home, 'unitcell.service');
    writeFileSync(
      file,
      serviceUnit({ system: true, env: { UNITCELL_HOME: '/srv/100% "ours"', PORT: '3400' } }),
    );
    expect(await capture('systemd-analyze', ['verify', file])).toEqual({ code: 0, output: '' });
    expect(readFileSync(file, 'utf8')).toContain('Environment="UNITCELL_HOME=/srv/100%% \\"ours\\""');
    // A user unit, read as the systemd manager of that user would.
    writeFileSync(file, serviceUnit({ system: false, env: { UNITCELL_HOME: home, PORT: '3400' } }));
    const env = { ...process.env, XDG_RUNTIME_DIR: home };
    expect(await capture('systemd-analyze', ['verify', '--user', file], { env })).toEqual({
      code: 0,
      output: '',
    });
  });

  it('contains no secret, and a user unit names no user', () => {
    const unit = serviceUnit({ system: false, env: { DATABASE_URL: 'postgresql://u:hunter2@h/d' } });
    expect(unit).not.toContain('hunter2');
    expect(unit).not.toContain('User=');
    expect(unit).toContain('WantedBy=default.target');
  });
});

describe('checkDiskSpace', () => {
  it('measures the nearest existing directory', () => {
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
  it('explains in one sentence that the disk filled up during the start', () => {
    expect(explain(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toMatch(/^The disk is full\./);
    expect(explain(new Error('could not extend file: No space left on device'))).toMatch(
      /^The disk is full\./,
    );
  });
});

describe('locks', () => {
  it('are taken over from a dead process', async () => {
    const file = join(home, 'lock');
    writeFileSync(file, JSON.stringify({ pid: await deadPid() }));
    const lock = takeLock(file, { address: 'here' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ pid: process.pid, address: 'here' });
    if (!lock.holder) lock.release();
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('are waited for while their holder runs', async () => {
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

  it('a register counts the running users of a shared resource', async () => {
    const register = openRegister(join(home, 'users'));
    register.enter();
    writeFileSync(join(home, 'users', String(await deadPid())), '');
    writeFileSync(join(home, 'users', String(process.ppid)), '');
    expect(register.leave()).toBe(1);
  });
});

describe('embeddedSecret', () => {
  it('is created once and readable only by its owner', () => {
    const secret = embeddedSecret(home);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(embeddedSecret(home)).toBe(secret);
    expect(statSync(join(home, 'jwt-secret')).mode & 0o777).toBe(0o600);
  });
});

describe('loadDotEnv', () => {
  it('reads assignments, quotes and comments; the last assignment counts, and the environment takes precedence', () => {
    const file = join(home, '.env');
    writeFileSync(
      file,
      '# PORT=1\nPORT=4000\nexport HOST = 0.0.0.0 # all\nJWT_SECRET="a b#c"\nREDIS_URL=\nLOG_LEVEL=info\n' +
        'METRICS_TOKEN=   # openssl rand\nSMS_PROVIDER=console\nSMS_PROVIDER=none\nOIDC_NAME="a" # "b"\n',
    );
    const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'debug' };
    loadDotEnv(env, file);
    expect(env).toEqual({
      LOG_LEVEL: 'debug',
      PORT: '4000',
      HOST: '0.0.0.0',
      JWT_SECRET: 'a b#c',
      SMS_PROVIDER: 'none',
      OIDC_NAME: 'a',
    });
  });
});
