import { modelCard, predict, predictionScore } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import type { PredictionRepository } from '../../domain/prediction/prediction.repository.ts';
import type { Predictions } from '../../domain/prediction/predictions.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { CardReader } from './model-card.service.ts';
import { score } from './score.service.ts';

export function predictionRoutes(
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
