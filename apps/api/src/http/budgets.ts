/**
 * Requests per minute that an account or key may send to this process. Concurrent requests have another limit.
 * Answers state the remaining budget in the fields of draft-ietf-httpapi-ratelimit-headers-10.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Limits } from '../config/limits.ts';
import { AppError } from '../messages/app-error.ts';
import { ownerOf } from './client-network.ts';

export type BudgetName = 'calculations' | 'uploads' | 'calls' | 'details' | 'visitors' | 'optimade';

/** The remaining budget after a request. */
export interface BudgetState {
  readonly name: string;
  readonly limit: number;
  readonly left: number;
  /** Seconds until the budget grows again. */
  readonly seconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Budgets charged by this request, for the RateLimit fields of its answer. */
    spent: BudgetState[] | null;
  }
  interface FastifyInstance {
    /** A hook that charges the caller's budget, or refuses with AppError request.too-many if it is used up. */
    spendBudget: (name: BudgetName) => onRequestHookHandler;
    /** The caller's remaining budgets. */
    budgetsLeft: (
      request: Pick<FastifyRequest, 'identity' | 'ip'>,
    ) => { name: string; limit: number; left: number; window_seconds: number }[];
  }
}

const WINDOW_SECONDS = 60;

/** Calls with an API key are limited by the key's own rate; `visitors` counts requests without account or key. */
const isExempt = (name: BudgetName, { identity }: Pick<FastifyRequest, 'identity'>): boolean =>
  name === 'visitors'
    ? identity !== null
    : (name === 'calls' || name === 'details') && identity?.apiKeyId !== undefined;

/** The requests of a caller since the first one of the running minute. */
interface Used {
  count: number;
  /** Milliseconds since 1970. */
  readonly ends: number;
}

export function registerBudgets(app: FastifyInstance, limits: Limits): void {
  const points: Readonly<Record<BudgetName, number>> = {
    calculations: limits.calculationsPerMinute,
    uploads: limits.uploadsPerMinute,
    calls: limits.callsPerMinute,
    details: limits.detailsPerMinute,
    visitors: limits.visitorCallsPerMinute,
    optimade: limits.optimadePerMinute,
  };
  const used = new Map<string, Used>();
  const keyOf = (name: BudgetName, request: Pick<FastifyRequest, 'identity' | 'ip'>): string =>
    `${name} ${ownerOf(request)}`;
  function begin(key: string): Used {
    const begun = { count: 0, ends: Date.now() + WINDOW_SECONDS * 1000 };
    used.set(key, begun);
    setTimeout(() => used.delete(key), WINDOW_SECONDS * 1000).unref();
    return begun;
  }

  app.decorateRequest('spent', null);
  app.addHook('onSend', ({ spent }, reply, _, next) => {
    if (spent === null) return next();
    void reply.headers({
      'RateLimit-Policy': spent
        .map(({ name, limit }) => `"${name}";q=${limit};w=${WINDOW_SECONDS}`)
        .join(', '),
      RateLimit: spent.map(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`).join(', '),
    });
    next();
  });

  app.decorate('budgetsLeft', (request) => {
    const names = (Object.keys(points) as BudgetName[]).filter((name) => !isExempt(name, request));
    return names.map((name) => {
      const left = Math.max(0, points[name] - (used.get(keyOf(name, request))?.count ?? 0));
      return { name, limit: points[name], left, window_seconds: WINDOW_SECONDS };
    });
  });

  app.decorate('spendBudget', (name: BudgetName) => (request, _, next) => {
    if (isExempt(name, request)) return next();
    const key = keyOf(name, request);
    const own = used.get(key) ?? begin(key);
    own.count++;
    const seconds = Math.max(1, Math.ceil((own.ends - Date.now()) / 1000));
    const left = Math.max(0, points[name] - own.count);
    (request.spent ??= []).push({ name, limit: points[name], left, seconds });
    next(own.count > points[name] ? new AppError('request.too-many', { seconds }) : undefined);
  });
}
