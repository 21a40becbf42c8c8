import { cancelDesign, designStructure, getDesign, listDesigns, startDesign } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { Designs } from './design.service.ts';

const done = { error: 'false', message: '' } as const;

export function designRoutes(app: FastifyInstance, designs: Designs): void {
  serveCall(app, startDesign, async ({ body, identity }) => ({
    ...done,
    id: await designs.start(identity.accountId, body),
  }));
  serveCall(app, listDesigns, async ({ identity, t }) => ({
    ...done,
    runs: await designs.list(identity.accountId, t),
  }));
  serveCall(app, getDesign, async ({ body, identity, t }) => ({
    ...done,
    ...(await designs.get(body.id, identity.accountId, t)),
  }));
  serveCall(app, cancelDesign, async ({ body, identity, t }) => ({
    ...done,
    run: await designs.cancel(body.id, identity.accountId, t),
  }));
  serveCall(app, designStructure, async ({ body, identity }) => ({
    ...done,
    ...(await designs.structure(body.id, body.rank, identity.accountId)),
  }));
}
