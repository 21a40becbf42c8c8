/** Predicted properties, and how good they were. */
import { modelCard, predict, predictionScore } from '@unitcell/contract/prediction';
import type { FastifyInstance } from 'fastify';
import {
  predictionRepository,
  type PredictionRepository,
} from '../../domain/prediction/prediction.repository.ts';
import type { Predictions } from '../../domain/prediction/predictions.ts';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import { cardReader, type CardReader } from './model-card.ts';
import { score } from './score.ts';

export function predictionFeature(app: FastifyInstance, { predictions, database, config }: Services): void {
  predictionRoutes(app, predictions, predictionRepository(database), cardReader(database, config.home));
}

function predictionRoutes(
  app: FastifyInstance,
  predictions: Predictions,
  repository: PredictionRepository,
  card: CardReader,
): void {
  serveCall(app, predict, ({ body, t, asker }) =>
    predictions.predict(
      {
        structure: body.structure,
        fileName: body.file_name ?? '',
        formula: body.formula,
        structId: body.struct_id,
      },
      t,
      asker,
    ),
  );
  serveCall(app, modelCard, card);
  serveCall(app, predictionScore, () => score(repository));
}
