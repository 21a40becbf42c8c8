import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { MAX_UPLOAD_BYTES, shownStructure } from './fields.ts';
import { examples } from './run4u-handle.examples.ts';

export const uploadedStructure = outcome.extend({
  ...shownStructure.shape,
  /** Things to know about how the file was read. */
  warnings: z.array(z.string()),
});
export type UploadedStructure = z.infer<typeof uploadedStructure>;

export const run4uHandle = defineCall({
  name: 'run4uHandle',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_handle/',
  summary: 'Reads an uploaded CIF or POSCAR (10 KB, 100 atoms)',
  access: 'user',
  body: { fileField: 'cif-file', maxBytes: MAX_UPLOAD_BYTES },
  request: z.unknown(),
  response: z.union([uploadedStructure, outcome]),
  example: examples.run4uHandle,
});
