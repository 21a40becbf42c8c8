/** Predicted properties. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { predictionRepository } from './prediction.repository.ts';
import { predictionRoutes } from './prediction.routes.ts';
import { predictions } from './prediction.service.ts';
import type * as predictionThread from './prediction.thread.ts';

export function predictionFeature(app: FastifyInstance, { database, phaseEntries, threads }: Services): void {
  const door = threads.open<typeof predictionThread>(new URL('./prediction.thread.ts', import.meta.url));
  predictionRoutes(
    app,
    predictions({ repository: predictionRepository(database), entries: phaseEntries, threads: door }),
  );
}
