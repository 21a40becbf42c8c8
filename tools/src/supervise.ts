/** Supervision of `npm start`: api and worker, each separately, and the embedded PostgreSQL. */
import { readFileSync, statfsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { tail } from '../lib/run.mjs';
import { UserError, explain } from '../lib/user-error.mjs';
import { shortenLog } from './postgres.ts';

/** First delay before a restart; each further delay is twice as long. */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 30_000;
/** A process that ran this long before it ended gets the first delay and all attempts again. */
const CALM_MS = 60_000;
const LOOK_MS = 250;
/**
 * Remaining processes of a killed server still hold its shared memory for a moment, and its port may be taken
 * meanwhile.
 */
const DATABASE_TRIES = 6;
const DATABASE_WAIT_MS = 250;
/** PostgreSQL needs one segment of its write-ahead log to start. */
const ROOM_BYTES = 16 * 1024 * 1024;

interface Run<Ended> {
  readonly exited: Promise<Ended>;
  stop(): Promise<void>;
}

/**
 * Runs something that must not end, and restarts it whenever it ends.
 * @param start starts one run
 * @param onEnded called on each unexpected end, with the delay before the next start
 */
export function superviseProcess<Ended>(
  start: () => Run<Ended>,
  onEnded: (ended: Ended, waitMs: number) => void,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const { signal } = stopped;
  let run = start();
  const supervised = (async () => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
      const begun = performance.now();
      const ended = await run.exited;
      if (signal.aborted) return;
      if (performance.now() - begun > CALM_MS) waitMs = FIRST_WAIT_MS;
      onEnded(ended, waitMs);
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      run = start();
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await run.stop();
      await supervised;
    },
  };
}

export interface DatabaseSupervisor {
  /** Resolves with the reason when the server cannot be restarted. */
  readonly lost: Promise<Error>;
  stop(): Promise<void>;
}

/**
 * Watches the embedded server and restarts it on the same port when it dies (killed, out of memory), so that
 * clients can reconnect. A full disk does not use up attempts: the site continues when there is space again.
 * @param say prints a line on the terminal
 */
export function superviseDatabase(
  cluster: {
    isServerAlive(): boolean;
    start(port: number): Promise<{ readonly port: number }>;
    readonly log: string;
  },
  port: number,
  say: (line: string) => void,
  { firstWaitMs = DATABASE_WAIT_MS, hasRoom = () => hasRoomAt(cluster.log) } = {},
): DatabaseSupervisor {
  const stopped = new AbortController();
  const { signal } = stopped;
  const wait = (ms: number) => pause(ms, undefined, { signal });
  const watch = (async (): Promise<Error> => {
    let [tries, since, isDown, isFull] = [0, 0, false, false];
    while (tries < DATABASE_TRIES) {
      if (cluster.isServerAlive()) {
        if (performance.now() - since > CALM_MS) tries = 0;
        try {
          shortenLog(cluster.log);
        } catch {
          // The disk is full; the log is shortened later.
        }
        await wait(LOOK_MS);
        continue;
      }
      if (!isDown) say('  !  PostgreSQL stopped unexpectedly; restarting …');
      isDown = true;
      try {
        const { port: found } = await cluster.start(port);
        if (found !== port) {
          say(`  ✗  another process started PostgreSQL on another port (${found})`);
          break;
        }
        say('  ✓  PostgreSQL is running again');
        [since, isDown, isFull] = [performance.now(), false, false];
        tries += 1;
      } catch (error) {
        signal.throwIfAborted();
        if (hasRoom()) {
          say(`  !  PostgreSQL has not started yet: ${explain(error).split('\n').at(-1)}`);
          await wait(firstWaitMs * 2 ** tries++);
        } else {
          if (!isFull) say('  !  the database disk is full: free some space, and the site will recover');
          isFull = true;
          await wait(firstWaitMs);
        }
      }
    }
    const lines = tail(readFileSync(cluster.log, 'utf8'), 8);
    return new UserError(
      `PostgreSQL stopped and could not be restarted on port ${port}. Log: ${cluster.log}\n${lines}`,
    );
  })();
  return {
    // Stopping ends the watch with an AbortError, which does not count as a loss.
    lost: watch.catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return new Promise(() => undefined);
    }),
    async stop() {
      stopped.abort();
      await watch.catch(() => undefined);
    },
  };
}

function hasRoomAt(file: string): boolean {
  const { bavail, bsize } = statfsSync(file);
  return bavail * bsize >= ROOM_BYTES;
}
