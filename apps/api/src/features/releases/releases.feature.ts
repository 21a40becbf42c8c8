/** Serves dumps of the catalogue, which the operator's command writes, as files. */
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listReleases, type PublishedRelease, type ReleaseFile } from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { rangeOf } from '../../http/serve-file.ts';
import { AppError } from '../../messages/app-error.ts';

// ── The dumps of an installation: folders with a manifest, and their retention ──

export const MANIFEST = 'manifest.json';

export type ManifestFile = Omit<ReleaseFile, 'address'>;
export interface Manifest extends Omit<PublishedRelease, 'files'> {
  readonly files: readonly ManifestFile[];
}

export const releasesFolder = (home: string): string => join(home, 'releases');

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';

export function releases(home: string) {
  const folder = releasesFolder(home);
  const folderOf = (release: number): string => join(folder, String(release));

  async function read(release: number): Promise<Manifest | null> {
    try {
      return JSON.parse(await readFile(join(folderOf(release), MANIFEST), 'utf8')) as Manifest;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Releases, newest first. */
  async function list(): Promise<Manifest[]> {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const numbers = names.filter((name) => /^\d{1,10}$/.test(name)).map(Number);
    const found = await Promise.all(numbers.sort((a, b) => b - a).map(read));
    return found.filter((manifest) => manifest !== null);
  }

  return {
    list,

    /** A file of a release by its name in the manifest; null if there is none. */
    async file(release: number, name: string): Promise<{ path: string; file: ManifestFile } | null> {
      const file = (await read(release))?.files.find((one) => one.name === name);
      return file ? { path: join(folderOf(release), file.name), file } : null;
    },

    /**
     * Removes old dumps except the newest `keep` and the last of every year, so that cited releases stay
     * available.
     * @returns the ids of the removed dumps
     */
    async prune(keep: number): Promise<number[]> {
      const all = await list();
      const seen = new Set<string>();
      const gone = all.filter(({ published_at }, index) => {
        const year = published_at.slice(0, 4);
        const isLastOfYear = !seen.has(year);
        seen.add(year);
        return index >= keep && !isLastOfYear;
      });
      for (const { release } of gone) await rm(folderOf(release), { recursive: true });
      return gone.map(({ release }) => release);
    },
  };
}

const FILE = '/api/releases/:release(^\\d{1,10})/:name(^[\\w.-]{1,100}$)';

export function releasesFeature(app: FastifyInstance, { config }: Services): void {
  const { releaseAccess: access } = config;
  const stored = releases(config.home);

  serveCall(app, listReleases, async () => ({
    ...done,
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
      // The files are already compressed, and ranges refer to the compressed bytes.
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
