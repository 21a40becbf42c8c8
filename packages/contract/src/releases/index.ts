/** Dumps of the whole catalogue, one folder of files per release, with checksums and a text to cite. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { emptyRequest, outcome } from '../common.ts';

const count = z.int().nonnegative();

export const releaseFile = z.object({
  /** `materials.parquet` */
  name: z.string(),
  bytes: count,
  /** Of the bytes, hexadecimal. */
  sha256: z.string(),
  /** Materials, energies or windows in it. */
  rows: count,
  media_type: z.string(),
  /** What a row is. */
  about: z.string(),
  /** Path on this site. */
  address: z.string(),
});
export type ReleaseFile = z.infer<typeof releaseFile>;

export const publishedRelease = z.object({
  /** Number of the last rebuild of derived data in it. */
  release: z.int(),
  /** ISO 8601 */
  published_at: z.string(),
  materials: count,
  /** Materials under each licence; every row says its own. */
  licences: z.record(z.string(), count),
  /** How to cite it. */
  cite: z.string(),
  files: z.array(releaseFile),
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
    /** `key`: the files are for holders of a key or a sign-in; `public`: for everybody. */
    access: z.enum(['key', 'public']),
    releases: z.array(publishedRelease),
  }),
  refusals: [],
});

export const releaseCalls: readonly Call[] = [listReleases];
