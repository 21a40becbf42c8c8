/** Ends a process in order on SIGTERM, SIGINT or SIGHUP; a second signal, or ten seconds, end it at once. */
import type { Logger } from 'pino';

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
        log.error({ err: error }, 'failed to stop in order');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
}
