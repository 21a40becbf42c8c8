/** Reactions at the interface of two materials. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { interfaceReactionRoutes } from './interface-reaction.routes.ts';
import { interfaceReactions } from './interface-reaction.service.ts';
import type * as interfaceReactionThread from './interface-reaction.thread.ts';

export function interfaceReactionFeature(
  app: FastifyInstance,
  { phaseEntries, completeness, threads, catalogueCaches }: Services,
): void {
  const door = threads.open<typeof interfaceReactionThread>(
    new URL('./interface-reaction.thread.ts', import.meta.url),
  );
  interfaceReactionRoutes(
    app,
    interfaceReactions({ entries: phaseEntries, completeness, threads: door, caches: catalogueCaches }),
  );
}
