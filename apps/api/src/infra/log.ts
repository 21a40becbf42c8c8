/** One JSON line an event on standard output. Tokens and phone numbers are removed wherever they turn up. */
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

/** How a request is logged: its path without the query, which may hold tickets, codes and states. */
export const requestSerializer = (request: FastifyRequest): object => ({
  method: request.method,
  path: request.url.split('?', 1)[0],
  remoteAddress: request.ip,
});
