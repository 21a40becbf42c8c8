import {
  downloadScreened,
  materialRows,
  screenElements,
  screenMaterials,
  screenPoints,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall, StreamedFile } from '../../http/serve-call.ts';
import type { Screen } from './screen.service.ts';

export function screenRoutes(app: FastifyInstance, screen: Screen): void {
  // Up to 1,000 rows: written as JSON at once, not walked through a schema. A test holds them against the contract.
  serveCall(
    app,
    screenMaterials,
    async ({ body, asker }) => new RawJson(JSON.stringify(await screen.find(body, asker))),
  );
  serveCall(app, screenPoints, async ({ body, asker }) => new RawJson(await screen.points(body, asker)));
  serveCall(app, screenElements, async ({ body, asker }) => screen.elements(body, asker));
  serveCall(app, materialRows, async ({ body }) => new RawJson(JSON.stringify(await screen.rows(body))));
  serveCall(app, downloadScreened, async ({ body, asker }) => {
    const { parts, type, name } = await screen.download(body, asker);
    return new StreamedFile(parts, type, name);
  });
}
