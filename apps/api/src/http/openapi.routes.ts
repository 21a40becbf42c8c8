import type { FastifyInstance } from 'fastify';
import { AppError } from '../messages/app-error.ts';
import { openApiDocument } from './openapi.ts';

/** The operation by which API keys are let in. */
export const OPENAPI_OPERATION = 'openApi';

/** 1 = common user (spec §6). */
const COMMON_USER = 1;

/** The description of the API, for internal users and holders of a key (spec §1). */
export function openApiRoutes(app: FastifyInstance): void {
  let text: string | undefined;
  const options = { onRequest: app.requireIdentity, schema: { operationId: OPENAPI_OPERATION } };
  app.get('/api/openapi.json', options, async ({ identity }, reply) => {
    if (identity?.userType === COMMON_USER && identity.apiKeyId === undefined)
      throw new AppError('auth.internal-only');
    text ??= JSON.stringify(openApiDocument());
    return reply
      .type('application/json; charset=utf-8')
      .header('Cache-Control', 'private, max-age=300')
      .send(text);
  });
}
