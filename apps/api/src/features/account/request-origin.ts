import type { FastifyRequest } from 'fastify';
import { canonicalAddress } from '../../http/client-network.ts';
import { type Language, preferredLanguage } from '../../messages/messages.ts';

export interface RequestOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly language: Language;
}

/** Client address and language of a request. */
export const originOf = (request: FastifyRequest): RequestOrigin => ({
  address: canonicalAddress(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
  language: preferredLanguage(request.headers['accept-language']),
});
