/**
 * What one account or key may ask of this process in a minute, beside what it may have under way at once. Answers say how
 * much is left in the fields of draft-ietf-httpapi-ratelimit-headers-10.
 */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limits } from '../config/limits.ts';
import { AppError } from '../messages/app-error.ts';
import { ownerOf } from './asker.ts';

export type BudgetName = 'calculations' | 'uploads' | 'optimade';

declare module 'fastify' {
  interface FastifyInstance {
    /** A hook that takes one from the caller's budget. It throws AppError request.too-many when nothing is left. */
    spendBudget: (name: BudgetName) => onRequestAsyncHookHandler;
  }
}

const WINDOW_SECONDS = 60;

export function registerBudgets(app: FastifyInstance, limits: Limits): void {
  const points: Readonly<Record<BudgetName, number>> = {
    calculations: limits.calculationsPerMinute,
    uploads: limits.uploadsPerMinute,
    optimade: limits.optimadePerMinute,
  };
  const budgetOf = (name: BudgetName) =>
    new RateLimiterMemory({ keyPrefix: name, points: points[name], duration: WINDOW_SECONDS });
  const budgets = {
    calculations: budgetOf('calculations'),
    uploads: budgetOf('uploads'),
    optimade: budgetOf('optimade'),
  };

  app.decorate('spendBudget', (name: BudgetName) => async (request, reply) => {
    const spent = await budgets[name].consume(ownerOf(request)).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const seconds = Math.max(1, Math.ceil(spent.msBeforeNext / 1000));
    void reply.headers({
      'RateLimit-Policy': `"${name}";q=${points[name]};w=${WINDOW_SECONDS}`,
      RateLimit: `"${name}";r=${spent.remainingPoints};t=${seconds}`,
    });
    if (spent.consumedPoints > points[name]) throw new AppError('request.too-many', { seconds });
  });
}
