/** Dumps of the whole catalogue, one folder of files per release, with checksums and a citation. */
import { z } from 'zod';
import { unit } from '../field-meta.ts';
import { defineCall } from '../define-call.ts';
import { emptyRequest, outcome } from '../common.ts';

const count = z.int().nonnegative();

export const releaseFile = z.object({
  name: z.string().describe('Name of the file: `materials.parquet`.'),
  bytes: count.meta(unit('bytes', 'Size of the file.')),
  sha256: z.string().describe('SHA-256 of the bytes, hexadecimal.'),
  rows: count.describe('Materials, energies or windows in it.'),
  media_type: z.string().describe('Media type of the file.'),
  about: z.string().describe('What a row is.'),
  address: z.string().describe('Path of the file on this site.'),
});
export type ReleaseFile = z.infer<typeof releaseFile>;

export const publishedRelease = z.object({
  release: z.int().describe('Number of the last rebuild of derived data in it.'),
  published_at: z.string().describe('When it was published, ISO 8601.'),
  materials: count.describe('Materials in it.'),
  licences: z.record(z.string(), count).describe('Materials under each licence; every row says its own.'),
  cite: z.string().describe('How to cite it.'),
  files: z.array(releaseFile).describe('Files of the release.'),
});
export type PublishedRelease = z.infer<typeof publishedRelease>;

export const listReleases = defineCall({
  name: 'listReleases',
  group: 'matdata',
  method: 'GET',
  path: '/api/releases/',
  summary: 'Dumps of the catalogue, newest first: JSON Lines, Parquet and OPTIMADE JSON Lines with SHA-256',
  access: 'public',
  body: 'none',
  request: emptyRequest,
  answer: outcome.extend({
    access: z
      .enum(['key', 'public'])
      .describe('key: the files are for holders of a key or a sign-in; public: for everybody.'),
    releases: z.array(publishedRelease).describe('Releases of the whole catalogue, newest first.'),
  }),
  refusals: [],
});
