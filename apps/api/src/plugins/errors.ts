/** Turns whatever was thrown into the answer decisions.md promises. Never a stack, never SQL. */
import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { preferredLanguage, type Translate, translator } from '../messages/messages.ts';
import { AppError, DETAIL, statusOf } from './app-error.ts';

export const translatorOf = (request: FastifyRequest): Translate =>
  translator(preferredLanguage(request.headers['accept-language']));

/** Fastify's own codes for bodies and limits. */
function fromFastify(error: FastifyError): AppError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('request.not-json');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('request.media-type');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new AppError('request.too-large', { limit: 'the documented size' });
    default:
      return error.statusCode === 400 ? new AppError('request.not-json') : null;
  }
}

function fromValidation(error: unknown): AppError | null {
  if (!hasZodFastifySchemaValidationErrors(error)) return null;
  const first = error.validation[0];
  const field = first?.instancePath.replaceAll('/', '.').replace(/^\./, '') || 'body';
  return new AppError('request.invalid', {
    reason: `${field}: ${first?.message ?? 'invalid'}`.slice(0, 300),
  });
}

function send(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const status = statusOf(error.code);
  const seconds = error.parameters.seconds ?? Number(error.parameters.minutes ?? 0) * 60;
  if (status === 429 && Number(seconds) > 0) reply.header('Retry-After', String(Math.ceil(Number(seconds))));
  const message = translatorOf(request)(error.code, error.parameters);
  const detail = DETAIL[error.code];
  const body = { error: 'true', message, code: error.code, ...(detail ? { detail } : {}), ...error.extra };
  // Sent as text: the response schema describes the successful answer.
  return reply.status(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function answer(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof AppError) return send(request, reply, error);
  const known = fromValidation(error) ?? fromFastify(error as FastifyError);
  if (known) return send(request, reply, known);
  const errorId = randomUUID();
  request.log.error({ err: error, errorId }, 'request failed');
  return send(request, reply, new AppError('server.failed', { errorId }, { error_id: errorId }));
}

export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answer(request, reply, error));
}
