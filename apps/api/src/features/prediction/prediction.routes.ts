import { predict } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { Predictions } from './prediction.service.ts';

export function predictionRoutes(app: FastifyInstance, predictions: Predictions): void {
  serveCall(app, predict, ({ body, t, asker }) =>
    predictions.predict(
      { structure: body.structure, fileName: body.file_name ?? '', structId: body.struct_id },
      t,
      asker,
    ),
  );
}
