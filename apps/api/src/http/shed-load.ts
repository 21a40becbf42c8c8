/**
 * Refuses at the door what could not be served in time, so that what is let in is: requests beyond a number under way or a queue
 * for the database, and further ones of a call that just waited for a lock in vain.
 */
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../config/limits.ts';
import type { Database } from '../infra/database.ts';
import { AppError } from '../messages/app-error.ts';

/** Who is refused for the length of the queue may ask again after this. */
const RETRY_SECONDS = 2;
/** Programs that ask again at once are slowed down by it: refusing them over and over would take the time of those served. */
const REFUSAL_MILLISECONDS = 1000;
/** Requests of one call that met a lock, one after the other, before the others are not let in behind them. */
const STRIKES = 3;

declare module 'fastify' {
  interface FastifyRequest {
    /** Says that its answer is ready, or a stream that stays open: it keeps nobody out any more. Once is enough. */
    leave: () => void;
  }
}

interface Stall {
  strikes: number;
  /** Milliseconds; from then on one request may try again. */
  retryAt: number;
}

/** Calls that meet a lock: each request of them would keep a connection from the others until its time is up. */
export function stalledCalls(lockSeconds: number, clock: () => number = () => performance.now()) {
  const stalls = new Map<string, Stall>();
  return {
    /** Seconds after which to ask again; 0 when the request may go in. One goes in each time the pause is over. */
    refusedFor(call: string): number {
      const stall = stalls.get(call);
      if (!stall || stall.strikes < STRIKES) return 0;
      const left = stall.retryAt - clock();
      if (left > 0) return Math.ceil(left / 1000);
      stall.retryAt = clock() + lockSeconds * 1000;
      return 0;
    },
    ended(call: string, wasLocked: boolean): void {
      if (!wasLocked) stalls.delete(call);
      else
        stalls.set(call, {
          strikes: (stalls.get(call)?.strikes ?? 0) + 1,
          retryAt: clock() + lockSeconds * 1000,
        });
    },
  };
}

/** Register it before the features: it comes before sessions are looked up. */
export function registerLoadShedding(
  app: FastifyInstance,
  { pool, readPool }: Pick<Database, 'pool' | 'readPool'>,
  limits: Pick<Limits, 'callsAtOnce' | 'databaseWaiting' | 'lockSeconds'>,
): void {
  const stalled = stalledCalls(limits.lockSeconds);
  // A crowd that comes in one moment has not begun to wait for the database when the last of it is let in: it is counted at the door.
  const inside = new Set<FastifyRequest>();
  const isFull = (): boolean =>
    inside.size >= limits.callsAtOnce ||
    Math.max(pool.waitingCount, readPool.waitingCount) >= limits.databaseWaiting;
  app.decorateRequest('leave', function leave(this: FastifyRequest) {
    inside.delete(this);
  });
  // Only calls of the contract and of OPTIMADE have an operation; health, pages and pictures are never refused.
  const callOf = (request: FastifyRequest): string | undefined => request.routeOptions.schema?.operationId;
  const refuse = async (): Promise<never> => {
    await setTimeout(REFUSAL_MILLISECONDS);
    throw new AppError('server.busy', { seconds: RETRY_SECONDS });
  };
  app.addHook('onRequest', async (request) => {
    const call = callOf(request);
    if (call === undefined) return;
    if (isFull()) await refuse();
    const seconds = stalled.refusedFor(call);
    if (seconds > 0) throw new AppError('server.busy', { seconds });
  });
  // Who takes long to send a question keeps nobody out: it is counted when all of it is there.
  app.addHook('preValidation', async (request) => {
    if (callOf(request) === undefined) return;
    if (isFull()) await refuse();
    inside.add(request);
  });
  // Who takes long to receive an answer keeps nobody out.
  app.addHook('onSend', async (request) => request.leave());
  app.addHook('onResponse', async (request, reply) => {
    request.leave();
    const call = callOf(request);
    const wasLocked = request.databaseTrouble === 'locked';
    if (call !== undefined && (reply.statusCode < 400 || wasLocked)) stalled.ended(call, wasLocked);
  });
}

// Answers that nobody takes are given up: what is made for them would be kept in memory as long as the other end likes.

/** @param seconds without a byte being taken, after which the connection is closed; streams that stay open have times of their own */
export function giveUpOnSlowReaders(app: FastifyInstance, seconds: number): void {
  app.addHook('onSend', async ({ raw: { socket } }) => {
    // Node closes it when the time is over, and sets another one when the answer is through. Tests without a wire have no socket.
    if (socket instanceof Socket) socket.setTimeout(seconds * 1000);
  });
}
