/** Reactions at the interface of two materials. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { interfaceReactionRoutes } from './interface-reaction.routes.ts';
import { interfaceReactions } from './interface-reaction.service.ts';

export function interfaceReactionFeature(
  app: FastifyInstance,
  { phaseEntries, phaseThreads, catalogueCaches }: Services,
): void {
  interfaceReactionRoutes(
    app,
    interfaceReactions({ entries: phaseEntries, threads: phaseThreads, caches: catalogueCaches }),
  );
}
