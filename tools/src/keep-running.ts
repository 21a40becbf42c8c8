import { setTimeout as pause } from 'node:timers/promises';

/** Waits between the tries: each twice as long as the one before. */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 30_000;
/** What has run this long before it ended begins again with the first wait. */
const CALM_MS = 60_000;

/** One run of what is kept running. */
interface Run<Ended> {
  readonly exited: Promise<Ended>;
  stop(): Promise<void>;
}

/**
 * Runs something that must not end, and starts it again whenever it does.
 * @param start starts one run of it
 * @param onEnded told of each unexpected end, and how long the next start waits
 */
export function keepRunning<Ended>(
  start: () => Run<Ended>,
  onEnded: (ended: Ended, waitMs: number) => void,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  let run = start();
  const kept = (async () => {
    let waitMs = FIRST_WAIT_MS;
    for (;;) {
      const begun = performance.now();
      const ended = await run.exited;
      if (stopped.signal.aborted) return;
      if (performance.now() - begun > CALM_MS) waitMs = FIRST_WAIT_MS;
      onEnded(ended, waitMs);
      await pause(waitMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      waitMs = Math.min(2 * waitMs, LAST_WAIT_MS);
      run = start();
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await run.stop();
      await kept;
    },
  };
}
