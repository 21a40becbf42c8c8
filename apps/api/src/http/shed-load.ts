/**
 * Load shedding: refuses requests that cannot be served in time, so that the others are served. It refuses
 * requests beyond the concurrency limit and a short queue, requests while the database pool has a queue, and
 * requests of a call that has just failed to get a lock.
 */
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../config/limits.ts';
import type { Database } from '../infra/database.ts';
import { AppError } from '../messages/app-error.ts';

/** Longest wait in the queue, which allows simultaneous requests to be served instead of refused. */
const LINE_MILLISECONDS = 5000;
/** Length of the queue as a multiple of the concurrency limit. */
const LINE_LENGTH = 4;
/** Retry-After of requests refused because of load. */
const RETRY_SECONDS = 2;
/**
 * Delay of refusals. It slows down programs that retry at once, because repeated refusals would cost too
 * much.
 */
const REFUSAL_MILLISECONDS = 1000;
/** After this many consecutive requests of one call failed because of a lock, further requests are refused. */
const STRIKES = 3;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Frees the place of a request whose answer is ready or is an open stream. May be called
     * repeatedly.
     */
    leave: () => void;
  }
}

interface Stall {
  strikes: number;
  /** Time in milliseconds after which one request may try again. */
  retryAt: number;
}

/** Tracks calls that fail because of a lock. Each of their requests would use a connection until it times out. */
export function stalledCalls(lockSeconds: number, clock: () => number = () => performance.now()) {
  const stalls = new Map<string, Stall>();
  return {
    /** Seconds until a retry; 0 when the request may proceed. After each pause one request may proceed. */
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

/** Register it before the features, because it runs before sessions are looked up. */
export function registerLoadShedding(
  app: FastifyInstance,
  { pool, readPool }: Pick<Database, 'pool' | 'readPool'>,
  limits: Pick<Limits, 'callsAtOnce' | 'databaseWaiting' | 'lockSeconds'>,
): void {
  const stalled = stalledCalls(limits.lockSeconds);
  // Admitted requests are counted here, because simultaneous requests are all admitted before the first of
  // them uses the database.
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
  // Only calls of the contract and of OPTIMADE have an operation; health checks, pages and pictures are never
  // refused.
  const callOf = (request: FastifyRequest): string | undefined => request.routeOptions.schema?.operationId;
  const busy = () => new AppError('server.busy', { seconds: RETRY_SECONDS });
  const refuse = (next: (error: Error) => void): void =>
    void setTimeout(() => next(busy()), REFUSAL_MILLISECONDS);
  /** Calls `next` when the request is admitted, or with `server.busy` after too long a wait. */
  const queue = (request: FastifyRequest, next: (error?: Error) => void): void => {
    const place = {
      request,
      admit: () => {
        clearTimeout(timer);
        next();
      },
    };
    const timer = setTimeout(() => {
      line.splice(line.indexOf(place), 1);
      next(busy());
    }, LINE_MILLISECONDS);
    line.push(place);
  };
  // Hooks of every request use callbacks, because each promise of a hook costs two turns of the microtask queue.
  app.addHook('onRequest', (request, _, next) => {
    const call = callOf(request);
    if (call === undefined) return next();
    if (isDatabaseBusy() || isLineFull()) return refuse(next);
    const seconds = stalled.refusedFor(call);
    if (seconds > 0) return next(new AppError('server.busy', { seconds }));
    next();
  });
  // A request counts only when its body is complete, so slow senders do not block others.
  app.addHook('preValidation', (request, _, next) => {
    if (callOf(request) === undefined) return next();
    if (isDatabaseBusy() || isLineFull()) return refuse(next);
    if (isFull()) return queue(request, next);
    inside.add(request);
    next();
  });
  // The place is freed here, so slow receivers do not block others.
  app.addHook('onSend', (request, _reply, _payload, next) => {
    request.leave();
    next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    request.leave();
    const call = callOf(request);
    const wasLocked = request.databaseTrouble === 'locked';
    if (call !== undefined && (reply.statusCode < 400 || wasLocked)) stalled.ended(call, wasLocked);
    next();
  });
}

// Aborts answers that the client does not read; otherwise they would stay in memory.

/** @param seconds without progress after which the connection is closed; streams have their own limits */
export function giveUpOnSlowReaders(app: FastifyInstance, seconds: number): void {
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, next) => {
    // Node closes the socket after the timeout and resets it after the answer. Injected test requests have no
    // socket.
    if (socket instanceof Socket) socket.setTimeout(seconds * 1000);
    next();
  });
}
