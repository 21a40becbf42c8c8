/** Dumps of the catalogue, written by the operator's command and served as files. */
import { createReadStream } from 'node:fs';
import { listReleases } from '@unitcell/contract/releases';
import type { FastifyInstance } from 'fastify';
import type { ReleaseAccess } from '../../config/config.ts';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import { rangeOf } from '../../http/serve-file.ts';
import { AppError } from '../../messages/app-error.ts';
import { releases, type Releases } from './releases.service.ts';

export const releasesFeature = (app: FastifyInstance, { config }: Services): void =>
  releasesRoutes(app, releases(config.home), config.releaseAccess);

const FILE = '/api/releases/:release(^\\d{1,10})/:name(^[\\w.-]{1,100}$)';

function releasesRoutes(app: FastifyInstance, stored: Releases, access: ReleaseAccess): void {
  serveCall(app, listReleases, async () => ({
    error: 'false' as const,
    message: '',
    access,
    releases: (await stored.list()).map(({ files, ...release }) => ({
      ...release,
      files: files.map((file) => ({ ...file, address: `/api/releases/${release.release}/${file.name}` })),
    })),
  }));

  app.route<{ Params: { release: string; name: string } }>({
    method: 'GET',
    url: FILE,
    schema: { tags: [listReleases.group], hide: true },
    onRequest: access === 'public' ? [] : [app.requireIdentity],
    handler: async (request, reply) => {
      const { release, name } = request.params;
      const found = await stored.file(Number(release), name);
      if (!found) throw new AppError('request.not-found');
      const { path, file } = found;
      const etag = `"${file.sha256.slice(0, 27)}"`;
      void reply.headers({
        ETag: etag,
        'Cache-Control': access === 'public' ? 'public, no-cache' : 'private, no-cache',
        'Accept-Ranges': 'bytes',
        'Content-Disposition': `attachment; filename="unitcell-${release}-${file.name}"`,
      });
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
      // Packed already; and a part is a part of these bytes.
      request.headers['x-no-compression'] = 'packed';
      const range = rangeOf(request, file.bytes, etag);
      if (range === 'unsatisfiable')
        return reply.code(416).header('Content-Range', `bytes */${file.bytes}`).send();
      const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
      if (range) void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
      void reply.type(file.media_type).header('Content-Length', end - start + 1);
      if (request.method === 'HEAD') return reply.send();
      return reply.send(createReadStream(path, { start, end }));
    },
  });
}
