/** Phase diagrams: the page of their own and the panel of the material page. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { phaseDiagramRoutes } from './phase-diagram.routes.ts';
import { phaseDiagrams } from './phase-diagram.service.ts';
import type * as phaseDiagramThread from './phase-diagram.thread.ts';

export function phaseDiagramFeature(
  app: FastifyInstance,
  { phaseEntries, completeness, scaleTrust, threads, catalogueCaches }: Services,
): void {
  const door = threads.open<typeof phaseDiagramThread>(new URL('./phase-diagram.thread.ts', import.meta.url));
  phaseDiagramRoutes(
    app,
    phaseDiagrams({
      entries: phaseEntries,
      completeness,
      scaleTrust,
      threads: door,
      caches: catalogueCaches,
    }),
  );
}
