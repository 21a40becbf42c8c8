/** Serves the built web client: hashed assets for a year, the page itself never from a cache. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../messages/app-error.ts';

const ONE_YEAR_SECONDS = 31_536_000;
/** Folders whose files carry a hash of their content in their name: the pages' and the documentation's. */
const HASHED = ['assets', 'docs/assets'];

export async function registerStaticWeb(app: FastifyInstance, webDist: string | null): Promise<void> {
  const hasPage = webDist !== null && existsSync(join(webDist, 'index.html'));
  if (hasPage)
    await app.register(fastifyStatic, {
      root: webDist,
      wildcard: false,
      index: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        const isHashed = HASHED.some((folder) => path.startsWith(join(webDist, folder)));
        void reply.header(
          'Cache-Control',
          isHashed ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache',
        );
      },
    });
  app.setNotFoundHandler((request, reply) => {
    // A query may well end like a file: …&mu=-0.5
    const [path = ''] = request.url.split('?', 1);
    // A program that asks for what is not there is told so; a browser is shown the page, which says it in its words.
    const isBrowser = path === '/' || (request.headers.accept ?? 'text/html').includes('text/html');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = isRead && !request.url.startsWith('/api/') && isBrowser;
    const looksLikeFile = /\.\w{1,8}$/.test(path);
    if (hasPage && isRead && /^\/docs(?:\/|$)/.test(path)) return sendDocument(reply, webDist, path);
    if (hasPage && wantsPage && !looksLikeFile)
      return reply.header('Cache-Control', 'no-cache').sendFile('index.html');
    throw new AppError('request.not-found');
  });
}

/** A page of the documentation site: the first of a folder, or the one that says that there is no such page. */
function sendDocument(reply: FastifyReply, webDist: string, path: string): FastifyReply {
  if (path === '/docs') return reply.redirect('/docs/');
  const index = `${path.slice(1)}index.html`;
  void reply.header('Cache-Control', 'no-cache');
  if (path.endsWith('/') && existsSync(join(webDist, index))) return reply.sendFile(index);
  return reply.code(404).sendFile('docs/404.html');
}
