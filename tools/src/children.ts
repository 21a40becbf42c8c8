import { spawn } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { inRepository } from '../lib/paths.mjs';

const LOG_BYTES = 10 * 1024 * 1024;
const OLD_LOGS = 3;
const STOP_MS = 15_000;
const WARN = 40; // pino's number for `warn`

interface Log {
  readonly file: string;
  write(line: string): void;
  close(): void;
}

/** `<name>.log`, readable only by its owner; a large one is rotated to `<name>.log.1` and so on. */
export function openLog(directory: string, name: string, largest = LOG_BYTES): Log {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${name}.log`);
  const open = () => {
    // Opened synchronously: a stream would open the file later, possibly after it was renamed, and write
    // under the new name.
    const fd = openSync(file, 'a', 0o600);
    fchmodSync(fd, 0o600);
    const stream = createWriteStream(file, { fd });
    stream.on('error', () => undefined); // a full disk must not stop the service together with its log
    return { stream, bytes: fstatSync(fd).size };
  };
  let current = open();
  const rotate = () => {
    const old = current;
    for (let age = OLD_LOGS - 1; age >= 1; age -= 1) {
      if (existsSync(`${file}.${age}`)) renameSync(`${file}.${age}`, `${file}.${age + 1}`);
    }
    // If the next file could not be opened last time, the file is already renamed.
    if (existsSync(file)) renameSync(file, `${file}.1`);
    current = open();
    old.stream.end();
  };
  return {
    file,
    write(line) {
      try {
        if (current.bytes > largest) rotate();
      } catch {
        current.bytes = 0; // no space for another file: continue with this one, so that the service keeps running
      }
      current.bytes += Buffer.byteLength(line) + 1;
      current.stream.write(`${line}\n`);
    },
    close: () => void current.stream.end(),
  };
}

/** Log records go to the file, all else only to the terminal: login codes must not reach a file. */
const isRecord = (line: string) => line.startsWith('{');

interface LogRecord {
  readonly level?: unknown;
  readonly msg?: string;
  readonly reqId?: string;
  readonly err?: { readonly message?: string };
}

/**
 * The terminal's version of a child's line: plain text unchanged (the SMS codes), log records from `warn` up
 * as one line.
 * @returns undefined for lines that only the log file gets
 */
export function forTerminal(name: string, line: string): string | undefined {
  if (!isRecord(line)) return line;
  let record: LogRecord;
  try {
    record = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof record.level !== 'number') return line;
  if (record.level < WARN) return undefined;
  const cause = record.err?.message && record.err.message !== record.msg ? `: ${record.err.message}` : '';
  const request = record.reqId === undefined ? '' : ` [${record.reqId}]`;
  return `  ${record.level > WARN ? '✗' : '!'}  ${name}${request} ${record.msg ?? ''}${cause}`;
}

export interface ChildOptions {
  readonly name: string;
  /** The program, and the arguments of Node and of the program. */
  readonly script: string;
  readonly nodeArgs?: readonly string[];
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly logDirectory: string;
  readonly print?: (line: string) => void;
}

/** Not `readline`: from Node 24 on it also ends a line at U+2028 and U+2029, which texts in log records may contain. */
const eachLine = (stream: Readable | null, take: (line: string) => void) => {
  let rest = '';
  stream
    ?.setEncoding('utf8')
    .on('data', (part: string) => {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(take);
    })
    .on('end', () => rest !== '' && take(rest));
};

export interface Ended {
  readonly name: string;
  readonly how: string;
  /** The last lines that the child wrote to standard error. */
  readonly lastErrors: readonly string[];
  readonly logFile: string;
}

export interface Child {
  readonly exited: Promise<Ended>;
  stop(): Promise<void>;
  isRunning(): boolean;
}

/**
 * Starts a Node program as a child in its own process group, so that Ctrl-C reaches only the launcher, which
 * stops the children in order. If the launcher is killed, the child notices the closed channel and stops.
 */
export function startChild({
  name,
  script,
  env,
  logDirectory,
  nodeArgs = [],
  args = [],
  cwd,
  print = console.log,
}: ChildOptions): Child {
  const log = openLog(logDirectory, name);
  const followParent = pathToFileURL(inRepository('tools/lib/follow-parent.mjs')).href;
  const child = spawn(process.execPath, ['--import', followParent, ...nodeArgs, script, ...args], {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastErrors: string[] = [];
  eachLine(child.stdout, (line) => {
    if (isRecord(line)) log.write(line);
    const shown = forTerminal(name, line);
    if (shown !== undefined) print(shown);
  });
  eachLine(child.stderr, (line) => {
    log.write(line);
    lastErrors.push(line);
    if (lastErrors.length > 12) lastErrors.shift();
  });
  let running = true;
  const exited = new Promise<Ended>((done) => {
    const end = (how: string) => {
      running = false;
      log.close();
      done({ name, how, lastErrors, logFile: log.file });
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
  });

  /** Asks the child to finish its work, and kills it after a while. */
  async function stop(): Promise<void> {
    if (!running) return;
    child.kill('SIGTERM');
    const insist = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(insist);
  }

  return { exited, stop, isRunning: () => running };
}
