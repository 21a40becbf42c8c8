import { getStructDetail } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { Detail } from './detail.service.ts';

export function detailRoutes(app: FastifyInstance, detail: Detail): void {
  // Band structures make this answer large: it is written at once. A test holds it against the contract.
  serveCall(
    app,
    getStructDetail,
    async ({ body }) => new RawJson(JSON.stringify(await detail.byStructId(body.struct_id))),
  );
}
