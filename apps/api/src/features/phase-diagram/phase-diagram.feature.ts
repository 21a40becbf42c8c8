/** Phase diagrams: the page of their own and the panel of the material page. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { phaseDiagramRoutes } from './phase-diagram.routes.ts';
import { phaseDiagrams } from './phase-diagram.service.ts';

export function phaseDiagramFeature(
  app: FastifyInstance,
  { phaseEntries, phaseThreads, catalogueCaches }: Services,
): void {
  phaseDiagramRoutes(
    app,
    phaseDiagrams({ entries: phaseEntries, threads: phaseThreads, caches: catalogueCaches }),
  );
}
