/**
 * Server-sent events: responses that stay open, a few per caller, and only while the caller's session or key
 * is valid.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../messages/app-error.ts';
import { ownerOf } from './client-network.ts';

/** Proxies close idle connections; regular comments keep them open. */
const KEEP_ALIVE_MILLISECONDS = 20_000;
/** Longest duration of a stream, for pages that disappeared without closing it. A live page reconnects. */
const STREAM_MILLISECONDS = 30 * 60_000;
/** Retry-After. A closed page closes its stream at once, so a short pause is enough. */
const RETRY_SECONDS = 10;

export interface EventStream {
  send(event: string, data: string): void;
  onClose(callback: () => void): void;
}

/** Opens streams, at most `perOwner` per account or key. All end when the app closes. */
export function eventStreams(app: FastifyInstance, perOwner: number) {
  const open = new Map<string, Set<FastifyReply['raw']>>();
  const requests = new Map<FastifyReply['raw'], FastifyRequest>();
  /** Ends a stream whose caller lost its rights. A database outage does not end it. */
  const recheck = (request: FastifyRequest, raw: FastifyReply['raw']): Promise<void> =>
    app.requireIdentity(request).catch((error: unknown) => {
      if (error instanceof AppError && error.code.startsWith('auth.')) raw.end();
    });
  app.identityWatchers.add((concerns) => {
    for (const [raw, request] of requests)
      if (request.identity !== null && concerns(request.identity)) void recheck(request, raw);
  });
  app.addHook('preClose', async () => {
    for (const own of open.values()) for (const raw of own) raw.end();
  });

  /** @throws AppError request.too-many */
  return function openStream(request: FastifyRequest, reply: FastifyReply): EventStream {
    const owner = ownerOf(request);
    const own = open.get(owner) ?? new Set();
    if (own.size >= perOwner) throw new AppError('request.too-many', { seconds: RETRY_SECONDS });
    const { raw } = reply.hijack();
    request.leave();
    open.set(owner, own.add(raw));
    requests.set(raw, request);
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const keepAlive = setInterval(() => raw.write(': still here\n\n'), KEEP_ALIVE_MILLISECONDS);
    const end = setTimeout(() => raw.end(), STREAM_MILLISECONDS);
    // If the client left while its request waited for a place, the response is already closed and emits no
    // further event.
    const onClose = (callback: () => void): void =>
      raw.destroyed ? callback() : void raw.on('close', callback);
    onClose(() => {
      clearInterval(keepAlive);
      clearTimeout(end);
      own.delete(raw);
      requests.delete(raw);
      if (own.size === 0) open.delete(owner);
    });
    return {
      send: (event, data) => void (raw.writableEnded || raw.write(`event: ${event}\ndata: ${data}\n\n`)),
      onClose,
    };
  };
}
