import { readFileSync, statfsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { tail } from '../lib/run.mjs';
import { Sentence, explain } from '../lib/sentence.mjs';

const LOOK_MS = 250;
/** A killed server's processes hold its shared memory for a moment, and somebody may be using the port: worth a few tries. */
const TRIES = 6;
const FIRST_WAIT_MS = 250;
/** Deaths that follow each other faster than this are one trouble, and share its tries. */
const CALM_MS = 60_000;
/** What the server needs to start is one segment of its journal. */
const ROOM_BYTES = 16 * 1024 * 1024;

const hasRoomAt = (file: string): boolean => {
  const { bavail, bsize } = statfsSync(file);
  return bavail * bsize >= ROOM_BYTES;
};

/** Of the embedded cluster, what is needed to watch it. */
interface Watched {
  isServerAlive(): boolean;
  start(port: number): Promise<{ readonly port: number }>;
  readonly log: string;
}

export interface DatabaseKeeper {
  /** Settles with the reason when the server cannot be brought back. */
  readonly lost: Promise<Error>;
  stop(): Promise<void>;
}

/**
 * Watches the embedded server and, when it dies (killed, out of memory), starts it again on the same port, so that whoever was
 * connected finds it there.
 * @param port where it has to be
 * @param say tells the terminal what happens
 */
export function keepDatabase(
  cluster: Watched,
  port: number,
  say: (line: string) => void,
  { firstWaitMs = FIRST_WAIT_MS, hasRoom = () => hasRoomAt(cluster.log) } = {},
): DatabaseKeeper {
  const stopped = new AbortController();
  const { signal } = stopped;
  const wait = (ms: number) => pause(ms, undefined, { signal });

  /** True when the server runs again. A full disk costs no tries: whoever makes room finds the site going on. */
  async function revive(tries: { left: number; waitMs: number }): Promise<boolean> {
    let isTold = false;
    while (tries.left > 0) {
      try {
        const { port: found } = await cluster.start(port);
        if (found === port) return true;
        say(`  ✗  PostgreSQL was started on another port (${found}) by another process`);
        return false;
      } catch (error) {
        if (signal.aborted) throw error;
        if (!isTold) say(`  !  PostgreSQL did not start yet: ${explain(error).split('\n').at(-1)}`);
      }
      if (!hasRoom()) {
        if (!isTold)
          say('  !  no room left on the disk of the database: make some, and it goes on by itself');
        isTold = true;
        await wait(firstWaitMs);
        continue;
      }
      await wait(tries.waitMs);
      tries.waitMs *= 2;
      tries.left -= 1;
    }
    return false;
  }

  const freshTries = () => ({ left: TRIES, waitMs: firstWaitMs });
  const watch = (async (): Promise<Error> => {
    let tries = freshTries();
    let since = performance.now();
    for (;;) {
      while (cluster.isServerAlive()) await wait(LOOK_MS);
      if (performance.now() - since > CALM_MS) tries = freshTries();
      else if (hasRoom()) tries.left -= 1;
      say('  !  PostgreSQL ended unexpectedly; starting it again …');
      if (!(await revive(tries))) break;
      since = performance.now();
      say('  ✓  PostgreSQL runs again');
    }
    const lines = tail(readFileSync(cluster.log, 'utf8'), 8);
    return new Sentence(
      `PostgreSQL ended and could not be started again on port ${port}. Its log: ${cluster.log}\n${lines}`,
    );
  })();
  // Stopping ends the watch with an AbortError; then nothing is lost.
  const lost = watch.catch((error: unknown): Promise<Error> => {
    if (!signal.aborted) throw error;
    return new Promise(() => undefined);
  });
  return {
    lost,
    async stop() {
      stopped.abort();
      await watch.catch(() => undefined);
    },
  };
}
