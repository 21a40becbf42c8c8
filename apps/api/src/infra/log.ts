/** One JSON line an event on standard output. Tokens and phone numbers are removed wherever they turn up. */
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

/** How a request is logged: its path without the query, which may hold tickets, codes and states. */
export const requestSerializer = (request: FastifyRequest): object => ({
  method: request.method,
  path: request.url.split('?', 1)[0],
  remoteAddress: request.ip,
});

/** The id of a request in every line about it and in its answer: that of a proxy in front, if it gave one. */
export const requestId = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
};
