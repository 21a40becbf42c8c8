/** Stability under conditions: temperature, gases, water. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { ellinghamRoute } from './ellingham.ts';
import { pourbaixRoute } from './pourbaix.ts';
import { reactionRoute } from './reaction.ts';

export function stabilityFeature(app: FastifyInstance, services: Services): void {
  reactionRoute(app, services);
  ellinghamRoute(app, services);
  pourbaixRoute(app, services);
}
