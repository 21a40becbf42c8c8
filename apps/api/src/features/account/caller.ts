import type { FastifyRequest } from 'fastify';
import { preferredLanguage } from '../../messages/messages.ts';
import type { Caller } from './login.service.ts';

/** Where a request comes from and which language it wants. */
export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  language: preferredLanguage(request.headers['accept-language']),
});
