/** Dumps of the whole catalogue, one folder of files per release, with checksums and a text to cite. */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { SEED_MATERIALS } from '../seed-materials.ts';

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
  example: {
    response: {
      error: 'false',
      message: '',
      access: 'key',
      releases: [
        {
          release: 6,
          published_at: '2026-11-22T09:00:00.000Z',
          materials: SEED_MATERIALS,
          licences: { 'CC BY 4.0': 662, CC0: SEED_MATERIALS - 662 },
          cite: `Unitcell (http://127.0.0.1:3000), release 6, published 2026-11-22: ${SEED_MATERIALS} materials.`,
          files: [
            {
              name: 'materials.parquet',
              bytes: 812_345,
              sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
              rows: SEED_MATERIALS,
              media_type: 'application/vnd.apache.parquet',
              about: 'One material a row: fields of the site, structure as JSON, source and licence',
              address: '/api/releases/6/materials.parquet',
            },
          ],
        },
      ],
    },
  },
});
