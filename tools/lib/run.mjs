import { spawn } from 'node:child_process';
import { codeOf, UserError } from './user-error.mjs';

const TAIL_LINES = 15;

// oxlint-disable-next-line no-control-regex -- the escape character is what colour codes begin with
const COLOUR = /\u001b\[[\d;]*m/g;
const STACK_FRAME = /^\s+at .*\n?/gm;

/**
 * The last lines of a program's output, for error messages, without colours and stack frames.
 * @param {string} text
 */
export const tail = (text, lines = TAIL_LINES) =>
  text.replace(COLOUR, '').replace(STACK_FRAME, '').trimEnd().split('\n').slice(-lines).join('\n');

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @param {{ pid?: number | undefined }} child
 * @param {NodeJS.Signals} signal
 */
function killGroup({ pid = 0 }, signal) {
  try {
    if (pid > 0) process.kill(-pid, signal);
  } catch {
    // the process has already ended
  }
}

/** Stops the running commands with all their child processes. */
export function stopRunningCommands() {
  for (const child of running) killGroup(child, 'SIGTERM');
}

/**
 * Runs a command in its own process group to its end and collects its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>} code 127 when the command does not exist, 124 on
 * timeout
 */
export function capture(command, args, { timeoutMs, ...options } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options });
    if (child.pid) running.add(child);
    let output = '';
    let timedOut = false;
    const timer = timeoutMs
      ? setTimeout(() => {
          timedOut = true;
          killGroup(child, 'SIGKILL');
        }, timeoutMs)
      : undefined;
    const collect = (/** @type {string} */ chunk) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => {
      clearTimeout(timer);
      done({ code: codeOf(error) === 'ENOENT' ? 127 : 126, output: output + error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      done({ code: timedOut ? 124 : (code ?? 1), output });
    });
  });
}

/**
 * Runs a command that must succeed; otherwise throws an error with the end of its output.
 * @param {string} what
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Parameters<typeof capture>[2]} [options]
 */
export async function mustRun(what, command, args, options = {}) {
  const { code, output } = await capture(command, args, options);
  if (code === 0) return output;
  if (/ENOSPC|no space left on device/i.test(output))
    throw Object.assign(new Error(what), { code: 'ENOSPC' });
  throw new UserError(`${what} failed (exit code ${code}):\n${tail(output)}`);
}

const PARENT_POLL_MS = 500;

/**
 * Calls back once when this process should stop: on Ctrl-C, SIGTERM, a closed terminal, or when the npm that
 * started it was killed (npm passes on only some signals, and none when it is killed itself).
 * @param {() => void} callback
 */
export function onStopRequested(callback) {
  let requested = false;
  const request = () => {
    if (requested) return;
    requested = true;
    clearInterval(watch);
    callback();
  };
  const parent = process.ppid;
  const watch = process.env.npm_lifecycle_event
    ? setInterval(() => process.ppid !== parent && request(), PARENT_POLL_MS).unref()
    : undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, request);
}
