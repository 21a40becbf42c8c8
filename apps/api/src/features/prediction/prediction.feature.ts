/** Predicted properties, and how good they were. */
import type { FastifyInstance } from 'fastify';
import { predictionRepository } from '../../domain/prediction/prediction.repository.ts';
import type { Services } from '../../domain/services.ts';
import { cardReader } from './model-card.service.ts';
import { predictionRoutes } from './prediction.routes.ts';

export function predictionFeature(app: FastifyInstance, { predictions, database, config }: Services): void {
  predictionRoutes(app, predictions, predictionRepository(database), cardReader(database, config.home));
}
