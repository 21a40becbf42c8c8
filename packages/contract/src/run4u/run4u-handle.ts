import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { STRUCTURE_REFUSALS } from './refusals.ts';
import { MAX_UPLOAD_BYTES, shownStructure } from './fields.ts';

export const uploadedStructure = outcome.extend({
  ...shownStructure.shape,
  /** Things to know about how the file was read. */
  warnings: z.array(z.string()),
});
export type UploadedStructure = z.infer<typeof uploadedStructure>;

/** Neither CIF nor POSCAR: the page says "Only CIF or VASP format file is valid !" (spec §8). */
const notAStructure = z.object({ error: z.literal('true'), message: z.literal('') });

export const run4uHandle = defineCall({
  name: 'run4uHandle',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_handle/',
  summary: 'Reads an uploaded CIF or POSCAR (10 KB, 100 atoms)',
  access: 'user',
  body: {
    fileField: 'cif-file',
    maxBytes: MAX_UPLOAD_BYTES,
    missing: 'run4u.no-file',
    tooLarge: 'run4u.too-large',
  },
  request: z.unknown(),
  answer: z.union([uploadedStructure, notAStructure]),
  refusals: ['run4u.no-file', 'run4u.too-large', ...STRUCTURE_REFUSALS],
});
