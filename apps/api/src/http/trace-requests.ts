/** Records a span for every API request, with spans of its work as children. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from '../infra/tracing/otlp-tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request is traced. */
    traceId?: string;
  }
}

const SERVER_ERROR = 500;

/** Excludes health checks, which come every few seconds, and files of the web client. */
const isTraced = (route: string | undefined): route is string =>
  route !== undefined && /^\/(?:api|optimade)\//.test(route) && !/^\/api\/(?:health|ready)$/.test(route);

/** Register it before all other request hooks. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, schema } = request.routeOptions;
    if (!isTraced(route)) return done();
    const { traceparent } = request.headers;
    const span = tracing.request(
      {
        name: `${request.method} ${route}`,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          // The recorded path has no query, which may contain tokens, codes and states.
          'url.path': request.url.split('?', 1)[0] ?? '',
          'url.scheme': request.protocol,
          'unitcell.request_id': request.id,
          ...(schema?.operationId === undefined ? {} : { 'unitcell.call': schema.operationId }),
        },
      },
      typeof traceparent === 'string' ? traceparent : undefined,
    );
    spans.set(request, span);
    request.traceId = span.traceId;
    request.log = request.log.child({ traceId: span.traceId });
    reply.log = request.log;
    span.inside(done);
  });
  // The body arrives in the async context of the connection. This restores the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.inside(done);
    else done();
  });
  app.addHook('onError', (request, _reply, error, done) => {
    if ((error.statusCode ?? SERVER_ERROR) >= SERVER_ERROR) spans.get(request)?.fail(error);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    spans.delete(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= SERVER_ERROR) span?.fail();
    span?.end();
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    const span = spans.get(request);
    spans.delete(request);
    span?.set({ 'unitcell.hung_up': true });
    span?.end();
    done();
  });
}
