/** Design, the side people see: ask for new compounds, follow the search, look at what it found. Workers search. */
import {
  cancelDesign,
  designStructure,
  getDesign,
  listDesigns,
  startDesign,
} from '@unitcell/contract/design';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import { designRepository } from './design.repository.ts';
import { designs, type Designs } from './design.service.ts';

export function designFeature(
  app: FastifyInstance,
  { config, database, queue, completeness }: Services,
): void {
  designRoutes(
    app,
    designs({ database, repository: designRepository(database), queue, completeness, home: config.home }),
  );
}

const done = { error: 'false', message: '' } as const;

function designRoutes(app: FastifyInstance, runs: Designs): void {
  serveCall(app, startDesign, async ({ body, identity }) => ({
    ...done,
    id: await runs.start(identity.accountId, body),
  }));
  serveCall(app, listDesigns, async ({ identity, t }) => ({
    ...done,
    runs: await runs.list(identity.accountId, t),
  }));
  serveCall(app, getDesign, async ({ body, identity, t }) => ({
    ...done,
    ...(await runs.get(body.id, identity.accountId, t)),
  }));
  serveCall(app, cancelDesign, async ({ body, identity, t }) => ({
    ...done,
    run: await runs.cancel(body.id, identity.accountId, t),
  }));
  serveCall(app, designStructure, async ({ body, identity }) => ({
    ...done,
    ...(await runs.structure(body.id, body.rank, identity.accountId)),
  }));
}
