/**
 * Refuses requests that could not be served in time, so that the others are: requests beyond a number under way and a short line
 * behind it, or a queue for the database, and further requests of a call that just waited for a lock in vain.
 */
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../config/limits.ts';
import type { Database } from '../infra/database.ts';
import { AppError } from '../messages/app-error.ts';

/** A request waits this long for one of those under way to end. Crowds that come in one moment are served so, not refused. */
const LINE_MILLISECONDS = 2000;
/** Requests that may wait so, in multiples of those that may be under way. */
const LINE_LENGTH = 2;
/** Retry-After of a request that is refused because of the load. */
const RETRY_SECONDS = 2;
/** Refusals are held so long, to slow down programs that retry at once: refusing them over and over would cost too much. */
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
  // A crowd that comes in one moment has not begun to wait for the database when the last of it is let in: it is counted here.
  const inside = new Set<FastifyRequest>();
  const line: { readonly request: FastifyRequest; readonly admit: () => void }[] = [];
  const isFull = (): boolean => inside.size >= limits.callsAtOnce;
  const isLineFull = (): boolean => line.length >= LINE_LENGTH * limits.callsAtOnce;
  const isDatabaseBusy = (): boolean =>
    Math.max(pool.waitingCount, readPool.waitingCount) >= limits.databaseWaiting;
  app.decorateRequest('leave', function leave(this: FastifyRequest) {
    if (!inside.delete(this) || isDatabaseBusy()) return;
    const next = line.shift();
    if (!next) return;
    inside.add(next.request);
    next.admit();
  });
  // Only calls of the contract and of OPTIMADE have an operation; health, pages and pictures are never refused.
  const callOf = (request: FastifyRequest): string | undefined => request.routeOptions.schema?.operationId;
  const refuse = async (): Promise<never> => {
    await pause(REFUSAL_MILLISECONDS);
    throw new AppError('server.busy', { seconds: RETRY_SECONDS });
  };
  /** Resolves when the request may go in. @throws AppError server.busy */
  const admission = (request: FastifyRequest): Promise<void> =>
    new Promise((admit, fail) => {
      const place = {
        request,
        admit: () => {
          clearTimeout(timer);
          admit();
        },
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(place), 1);
        fail(new AppError('server.busy', { seconds: RETRY_SECONDS }));
      }, LINE_MILLISECONDS);
      line.push(place);
    });
  app.addHook('onRequest', async (request) => {
    const call = callOf(request);
    if (call === undefined) return;
    if (isDatabaseBusy() || isLineFull()) await refuse();
    const seconds = stalled.refusedFor(call);
    if (seconds > 0) throw new AppError('server.busy', { seconds });
  });
  // A client that sends its request slowly keeps nobody out: the request is counted when all of it is there.
  app.addHook('preValidation', async (request) => {
    if (callOf(request) === undefined) return;
    if (isDatabaseBusy() || isLineFull()) await refuse();
    if (isFull()) await admission(request);
    else inside.add(request);
  });
  // A client that receives its answer slowly keeps nobody out.
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
