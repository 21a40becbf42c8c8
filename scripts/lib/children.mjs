import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { inRepository } from './paths.mjs';

const LOG_BYTES = 10 * 1024 * 1024;
const OLD_LOGS = 3;
const STOP_MS = 15_000;
const WARN = 40; // pino's number for `warn`

/** Opens `<name>.log` for appending; a large one first becomes `<name>.log.1`, and so on. */
function openLog(directory, name) {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${name}.log`);
  if (existsSync(file) && statSync(file).size > LOG_BYTES) {
    for (let age = OLD_LOGS - 1; age >= 1; age -= 1) {
      if (existsSync(`${file}.${age}`)) renameSync(`${file}.${age}`, `${file}.${age + 1}`);
    }
    renameSync(file, `${file}.1`);
  }
  const stream = createWriteStream(file, { flags: 'a' });
  stream.on('error', () => undefined); // a full disk must not take the service down with its log
  return { file, write: (line) => stream.write(`${line}\n`), close: () => stream.end() };
}

/**
 * What the terminal shows of a child's line: text as it is (the SMS codes), log records from `warn` up as one line.
 * @returns {string | undefined} undefined: for the log file only
 */
export function forTerminal(name, line) {
  if (!line.startsWith('{')) return line;
  let record;
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

/**
 * Starts a Node program as a child in a process group of its own: Ctrl-C reaches only us, and we stop the children in order.
 * Should we be killed, the child notices the closed channel and stops by itself.
 * @param {{ name: string, script: string, env: NodeJS.ProcessEnv, logDirectory: string, nodeArgs?: string[], print?: (line: string) => void, cwd?: string }} options
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
}) {
  const log = openLog(logDirectory, name);
  const followParent = pathToFileURL(inRepository('scripts/lib/follow-parent.mjs')).href;
  const child = spawn(process.execPath, ['--import', followParent, ...nodeArgs, script, ...args], {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastErrors = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.write(line);
    const shown = forTerminal(name, line);
    if (shown !== undefined) print(shown);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.write(line);
    lastErrors.push(line);
    if (lastErrors.length > 12) lastErrors.shift();
  });
  let running = true;
  const exited = new Promise((done) => {
    const end = (how) => {
      running = false;
      log.close();
      done({ name, how, lastErrors, logFile: log.file });
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
  });

  /** Asks the child to finish what it does, and insists after a while. */
  async function stop(signal = 'SIGTERM') {
    if (!running) return;
    child.kill(signal);
    const insist = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(insist);
  }

  return { name, exited, stop, isRunning: () => running };
}
