import type { FastifyInstance } from 'fastify';
import { isKnown, weakTag } from '../representation.ts';
import { openApiDocument } from './openapi-document.ts';

/** The description of the API, for everybody: whoever applies for a key can see what it would open. */
export function openApiRoutes(app: FastifyInstance): void {
  let kept: { readonly text: string; readonly tag: string } | undefined;
  const make = () => {
    const text = JSON.stringify(openApiDocument());
    return { text, tag: weakTag(text) };
  };
  app.get('/api/openapi.json', async (request, reply) => {
    const { text, tag } = (kept ??= make());
    void reply.headers({ ETag: tag, 'Cache-Control': 'public, max-age=300' });
    if (isKnown(request, tag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
