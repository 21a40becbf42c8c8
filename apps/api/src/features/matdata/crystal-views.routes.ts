import { getBrillouinZone, getXrdHandle, getXrdHandle2 } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { CrystalViews } from './crystal-views.service.ts';

export function crystalViewsRoutes(app: FastifyInstance, views: CrystalViews): void {
  // Thousands of points: written as JSON at once. A test holds them against the contract.
  serveCall(
    app,
    getXrdHandle,
    async ({ body, asker }) => new RawJson(JSON.stringify(await views.pattern(asker, body.struct_id))),
  );

  serveCall(app, getXrdHandle2, async ({ body, asker }) => {
    const pattern = await views.pattern(asker, body.struct_id, body.wavelength, body.crystalSize);
    return new RawJson(JSON.stringify(pattern));
  });

  serveCall(app, getBrillouinZone, ({ body, asker }) => views.brillouinZone(asker, body.struct_id));
}
