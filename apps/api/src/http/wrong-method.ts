/** 405 with `Allow` for whatever has an address and not this method: before bodies are read, so that no body changes the answer. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../messages/app-error.ts';

/** A path of the router (`/a/:id(^\d+).cif`, `/b/*`) as an expression for addresses. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll(/\./g, String.raw`\.`)
      .replaceAll(/:\w+\(\^?((?:[^()]|\([^()]*\))*)\)/g, '(?:$1)')
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('/*', '/.*')}/?$`,
  );

/** Call before any route is registered. */
export function registerWrongMethods(app: FastifyInstance): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // Files of the page: what is no file of it may be a page of it.
    if (!/^\/(?:api|optimade)(?:\/|$)/.test(url)) return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    // A query may well look like a path.
    const [path = ''] = request.url.split('?', 1);
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods]);
    const allowed = [...new Set(methods)].toSorted().join(', ');
    if (methods.includes(request.method)) return;
    if (allowed === '') {
      // It may be a page; the handler of what is not found knows.
      if (request.method === 'GET' || request.method === 'HEAD') return;
      throw new AppError('request.not-found');
    }
    void reply.header('Allow', allowed);
    throw new AppError('request.method', { method: request.method, allowed });
  });
}
