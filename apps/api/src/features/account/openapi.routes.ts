import type { FastifyInstance } from 'fastify';
import { AppError } from '../../plugins/app-error.ts';
import { openApiDocument } from '../../plugins/openapi.ts';

/** 1 = common user (spec §6). */
const COMMON_USER = 1;

/** The description of the API, for internal users and holders of a key (spec §1). */
export function openApiRoutes(app: FastifyInstance): void {
  let text: string | undefined;
  app.get('/api/openapi.json', { onRequest: app.requireIdentity }, async ({ identity }, reply) => {
    if (identity?.userType === COMMON_USER && identity.apiKeyId === undefined)
      throw new AppError('auth.internal-only');
    text ??= JSON.stringify(openApiDocument());
    return reply
      .type('application/json; charset=utf-8')
      .header('Cache-Control', 'private, max-age=300')
      .send(text);
  });
}
