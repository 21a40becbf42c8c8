/** Shuts a process down on SIGTERM, SIGINT or SIGHUP. A second signal or ten seconds force the exit. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';

// One JSON line per event on standard output. Tokens and phone numbers are removed everywhere.

const SECRET_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  '*.authorization',
  '*.token',
  '*.sms_token',
  // Not '*.code': the codes of errors are needed (ECONNREFUSED, SQLSTATE).
  'body.code',
  'query.code',
  '*.mobile',
];

/** Each write wakes another thread, which cost a fifth of a short call when lines were written one by one. */
const LINES_MILLISECONDS = 20;

/** Writes the lines of a short time at once. The lines before the end of the process are written too. */
function standardOutput(): DestinationStream & { flushSync(): void } {
  const output = pino.destination(1);
  let lines = '';
  const flushSync = (): void => {
    const written = lines;
    lines = '';
    if (written !== '') output.write(written);
  };
  process.on('exit', flushSync);
  return {
    write(line) {
      if (lines === '') setTimeout(flushSync, LINES_MILLISECONDS).unref();
      lines += line;
    },
    flushSync,
  };
}

export const createLog = (level: string, role: string): Logger =>
  pino({ level, base: { role }, redact: { paths: SECRET_PATHS, censor: '[removed]' } }, standardOutput());

/** Logs a request by its path without the query, which may contain tokens, codes and states. */
export const requestSerializer = (request: FastifyRequest): object => ({
  method: request.method,
  path: request.url.split('?', 1)[0],
  remoteAddress: request.ip,
});

/** The request id for log lines and the answer. An id sent by a proxy is used. */
export const requestId = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
};

// The version of the product.

/** Location of the package.json, relative to a source file and to the built program. */
const PACKAGES = ['../../../../package.json', '../../../package.json'];

/** Empty if the package.json is not found. */
export async function ownVersion(): Promise<string> {
  for (const place of PACKAGES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => '{}');
    const { name, version } = JSON.parse(text) as { name?: string; version?: string };
    if (name === 'unitcell' && version !== undefined) return version;
  }
  return '';
}

const GRACE_MILLISECONDS = 10_000;

export function runUntilStopped(log: Logger, close: () => Promise<unknown>): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('did not stop in time');
      process.exit(1);
    }, GRACE_MILLISECONDS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
}

/** Ends a process that failed to start. Otherwise open threads and queues would keep it alive. */

/** Errors that the operator can fix are printed without a stack trace. */
function whyNoStart(error: unknown): string {
  const { code, syscall, address, port, name, message, stack } = error as Partial<NodeJS.ErrnoException> & {
    readonly address?: string;
    readonly port?: number;
  };
  const place = `port ${port} of ${address}`;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Another program listens on ${place}: stop it, or set PORT (of a worker: WORKER_PORT) to another.`;
  if (syscall === 'listen' && code === 'EACCES')
    return `No permission to listen on ${place}: set PORT (of a worker: WORKER_PORT) to one above 1023.`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `This machine has no address ${address}: set HOST to 127.0.0.1 (this machine only) or 0.0.0.0 (every network).`;
  return name === 'ConfigError' ? String(message) : (stack ?? String(error));
}

export function exitOnStartupError(error: unknown): never {
  process.stderr.write(`${whyNoStart(error)}\n`);
  process.exit(1);
}

/** Waits for the work up to the given time; rejects if the work rejects within that time. */
export async function waitUpTo(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}

/** Serialises calls of `work`. It never runs twice at once, and runs once more if it was called meanwhile. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isDue = isRunning;
    if (isRunning) return;
    isRunning = true;
    await work().finally(() => {
      isRunning = false;
    });
    if (isDue) await run();
  };
  return () => void run();
}
