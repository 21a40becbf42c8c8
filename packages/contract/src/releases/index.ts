/** Dumps of the whole catalogue, one folder of files per release, with checksums and a citation. */
import { z } from 'zod';
import { unit } from '../field-meta.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { outcome } from '../common.ts';

const count = z.int().nonnegative();

export const releaseFile = z.object({
  name: z.string().describe('Name of the file: `materials.parquet`.'),
  bytes: count.meta(unit('bytes', 'Size of the file.')),
  sha256: z.string().describe('SHA-256 of the bytes, hexadecimal.'),
  rows: count.describe('Number of materials, energies or windows in it.'),
  media_type: z.string().describe('Media type of the file.'),
  about: z.string().describe('Content of a row.'),
  address: z.string().describe('Path of the file on this site.'),
});
export type ReleaseFile = z.infer<typeof releaseFile>;

export const publishedRelease = z.object({
  release: z.int().describe('Number of the last rebuild of derived data in it.'),
  published_at: z.string().describe('Time of publication, ISO 8601.'),
  materials: count.describe('Number of materials in the release.'),
  licences: z.record(z.string(), count).describe('Materials under each licence; every row states its own.'),
  cite: z.string().describe('Citation.'),
  files: z.array(releaseFile).describe('Files of the release.'),
});
export type PublishedRelease = z.infer<typeof publishedRelease>;

export const listReleases = defineCall(address.listReleases, {
  summary: 'Dumps of the catalogue, newest first: JSON Lines, Parquet and OPTIMADE JSON Lines with SHA-256',
  access: 'public',
  answer: outcome.extend({
    access: z
      .enum(['key', 'public'])
      .describe('key: the files require an API key or a sign-in; public: no restriction.'),
    releases: z.array(publishedRelease).describe('Releases of the whole catalogue, newest first.'),
  }),
});
