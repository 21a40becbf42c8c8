/** Serves the built web client: hashed assets for a year, the page itself never from a cache. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../messages/app-error.ts';

const ONE_YEAR_SECONDS = 31_536_000;

export async function registerStaticWeb(app: FastifyInstance, webDist: string | null): Promise<void> {
  const hasPage = webDist !== null && existsSync(join(webDist, 'index.html'));
  if (hasPage)
    await app.register(fastifyStatic, {
      root: webDist,
      wildcard: false,
      index: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        const isHashed = path.startsWith(join(webDist, 'assets'));
        void reply.header(
          'Cache-Control',
          isHashed ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache',
        );
      },
    });
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && !request.url.startsWith('/api/');
    // A query may well end like a file: …&mu=-0.5
    const looksLikeFile = /\.\w{1,8}$/.test(request.url.split('?', 1)[0] ?? '');
    if (hasPage && wantsPage && !looksLikeFile)
      return reply.header('Cache-Control', 'no-cache').sendFile('index.html');
    throw new AppError('request.not-found');
  });
}
