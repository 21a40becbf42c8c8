/** Child processes of the launcher: their logs, what the terminal shows, and how they end. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forTerminal, openLog, startChild } from './children.ts';
import { superviseProcess } from './supervise.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unitcell-children-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('forTerminal', () => {
  it('shows plain text unchanged, and log records of level warn and above', () => {
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

  it('rotates a large file while it is written, keeps three, and loses no line', async () => {
    const log = openLog(home, 'api', 50);
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i} ${'x'.repeat(20)}`);
    for (const line of lines) log.write(line);
    await expect.poll(() => text('api.log')).toContain('line 39');
    const files = readdirSync(home).sort();
    expect(files).toEqual(['api.log', 'api.log.1', 'api.log.2', 'api.log.3']);
    const kept = ['api.log.3', 'api.log.2', 'api.log.1', 'api.log'].map(text).join('').trimEnd().split('\n');
    expect(kept).toEqual(lines.slice(-kept.length));
    for (const name of files) expect(statSync(join(home, name)).size).toBeLessThan(120);
    log.close();
  });

  it('continues in the same file when it cannot be rotated, without ending the launcher', async () => {
    mkdirSync(join(home, 'api.log.3', 'full'), { recursive: true });
    writeFileSync(join(home, 'api.log.2'), '');
    const log = openLog(home, 'api', 50);
    const lines = Array.from({ length: 10 }, (_, i) => `line ${i} ${'x'.repeat(20)}`);
    for (const line of lines) log.write(line);
    await expect.poll(() => text('api.log')).toBe(`${lines.join('\n')}\n`);
    log.close();
  });

  it('is readable only by its owner, even if the file existed with other permissions', () => {
    writeFileSync(join(home, 'api.log'), '', { mode: 0o644 });
    openLog(home, 'api').close();
    expect(statSync(join(home, 'api.log')).mode & 0o777).toBe(0o600);
  });
});

describe('superviseProcess', () => {
  it('restarts an ended process with growing delays, and stops on request', async () => {
    const waits: number[] = [];
    let ended: (how: { how: string }) => void = () => undefined;
    const kept = superviseProcess(
      () => ({
        exited: new Promise<{ how: string }>((done) => (ended = done)),
        stop: async () => ended({ how: 'stopped' }),
      }),
      (_how, waitMs) => waits.push(waitMs),
    );
    ended({ how: 'exit code 1' });
    const first = ended;
    await expect.poll(() => ended === first).toBe(false);
    ended({ how: 'exit code 1' });
    await expect.poll(() => waits).toEqual([500, 1000]);
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

  it('keeps plain text out of the log file, because login codes may appear only on the terminal', async () => {
    const printed: string[] = [];
    const { exited } = child(
      "console.log('SMS code for 138****0000 (login): 123456'); console.log(JSON.stringify({ level: 30, msg: 'sent' }));",
      (line) => printed.push(line),
    );
    const { logFile } = await exited;
    await expect.poll(() => readFileSync(logFile, 'utf8')).toBe('{"level":30,"msg":"sent"}\n');
    expect(printed).toEqual(['SMS code for 138****0000 (login): 123456']);
  });

  it('ends a line of the log only at a line feed', async () => {
    const record = '{"level":30,"msg":"one\\r\\u2028line"}';
    const { exited } = child(`console.log('${record}');`);
    const { logFile } = await exited;
    await expect.poll(() => readFileSync(logFile, 'utf8')).toBe('{"level":30,"msg":"one\r\u2028line"}\n');
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
    await expect.poll(() => readFileSync(ended.logFile, 'utf8')).toBe('bad luck\n');
  });

  it('lets the child finish its work when stopped', async () => {
    const printed: string[] = [];
    const script =
      "setInterval(() => 0, 1000); process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); console.log('up');";
    const { stop, exited, isRunning } = child(script, (line) => printed.push(line));
    await expect.poll(() => printed).toContain('up');
    await stop();
    expect(isRunning()).toBe(false);
    expect(await exited).toMatchObject({ how: 'exit code 0' });
    expect(printed).toEqual(['up', 'bye']);
  });

  it('ends all children when the launcher is killed', async () => {
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
    await expect.poll(alive).toBe(false);
  });
});
