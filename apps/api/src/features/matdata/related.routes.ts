import { getRelated } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { Related } from './related.service.ts';

export function relatedRoutes(app: FastifyInstance, related: Related): void {
  serveCall(app, getRelated, ({ body }) => related.byStructId(body.struct_id));
}
