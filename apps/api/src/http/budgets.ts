/**
 * Requests per minute that an account or key may send to this process. Concurrent requests have another limit.
 * Answers state the remaining budget in the fields of draft-ietf-httpapi-ratelimit-headers-10.
 */
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
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
    /**
     * A hook that charges the caller's budget. It throws AppError request.too-many when the budget is used
     * up.
     */
    spendBudget: (name: BudgetName) => onRequestAsyncHookHandler;
    /** The caller's remaining budgets. */
    budgetsLeft: (
      request: Pick<FastifyRequest, 'identity' | 'ip'>,
    ) => Promise<{ name: string; limit: number; left: number; window_seconds: number }[]>;
  }
}

const WINDOW_SECONDS = 60;

/** Calls with an API key are limited by the key's own rate; `visitors` counts requests without account or key. */
const isExempt = (name: BudgetName, { identity }: Pick<FastifyRequest, 'identity'>): boolean =>
  name === 'visitors'
    ? identity !== null
    : (name === 'calls' || name === 'details') && identity?.apiKeyId !== undefined;

export function registerBudgets(app: FastifyInstance, limits: Limits): void {
  const points: Readonly<Record<BudgetName, number>> = {
    calculations: limits.calculationsPerMinute,
    uploads: limits.uploadsPerMinute,
    calls: limits.callsPerMinute,
    details: limits.detailsPerMinute,
    visitors: limits.visitorCallsPerMinute,
    optimade: limits.optimadePerMinute,
  };
  const budgetOf = (name: BudgetName) =>
    new RateLimiterMemory({ keyPrefix: name, points: points[name], duration: WINDOW_SECONDS });
  const budgets = {
    calculations: budgetOf('calculations'),
    uploads: budgetOf('uploads'),
    calls: budgetOf('calls'),
    details: budgetOf('details'),
    visitors: budgetOf('visitors'),
    optimade: budgetOf('optimade'),
  };

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

  app.decorate('budgetsLeft', async (request) => {
    const names = (Object.keys(points) as BudgetName[]).filter((name) => !isExempt(name, request));
    return Promise.all(
      names.map(async (name) => {
        const used = await budgets[name].get(ownerOf(request));
        const left = Math.max(0, used?.remainingPoints ?? points[name]);
        return { name, limit: points[name], left, window_seconds: WINDOW_SECONDS };
      }),
    );
  });

  app.decorate('spendBudget', (name: BudgetName) => async (request) => {
    if (isExempt(name, request)) return;
    const spent = await budgets[name].consume(ownerOf(request)).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const seconds = Math.max(1, Math.ceil(spent.msBeforeNext / 1000));
    (request.spent ??= []).push({ name, limit: points[name], left: spent.remainingPoints, seconds });
    if (spent.consumedPoints > points[name]) throw new AppError('request.too-many', { seconds });
  });
}
