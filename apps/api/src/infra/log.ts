/** One JSON line per event on standard output. Tokens and phone numbers are removed everywhere. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';

const SECRET_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  '*.authorization',
  '*.token',
  '*.sms_token',
  '*.code',
  '*.mobile',
];

export const createLog = (level: string, role: string): Logger =>
  pino({ level, base: { role }, redact: { paths: SECRET_PATHS, censor: '[removed]' } });

/** Logs a request by its path without the query, which may contain tokens, codes and states. */
export const requestSerializer = (request: FastifyRequest): object => ({
  method: request.method,
  path: request.url.split('?', 1)[0],
  remoteAddress: request.ip,
});

/** The request id for log lines and the answer: the id of a proxy in front, if it sent one. */
export const requestId = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
};
