import { getBandData, getLatticeStructure } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { TightBinding } from './tight-binding.service.ts';

export function tightBindingRoutes(app: FastifyInstance, tightBinding: TightBinding): void {
  serveCall(app, getLatticeStructure, ({ body, t }) => tightBinding.structure(body.grid_id, t));
  // Written as JSON where it was calculated. A test holds it against the contract.
  serveCall(
    app,
    getBandData,
    async ({ body, t, asker }) => new RawJson(await tightBinding.bands(body, t, asker)),
  );
}
