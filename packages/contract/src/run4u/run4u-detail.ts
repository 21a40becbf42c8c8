import { z } from 'zod';
import { rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { shownStructure, submissionRow } from './fields.ts';

/** One submission: its structure and, where there is one, the material it belongs to, side by side. */
export const submissionDetail = z.object({
  row: submissionRow,
  submitted: shownStructure,
  match: z
    .object({
      struct_id: z.int(),
      /** Root mean square displacement in units of (V/atom)^(1/3); null when the two are not alike any more. */
      rms: z.number().nullable(),
      material: shownStructure,
    })
    .nullable(),
  /** Finished runs of the engine. */
  runs: z.array(
    z.object({ step: z.string(), wall_seconds: z.number(), cpu_seconds: z.number(), peak_mb: z.number() }),
  ),
});
export type SubmissionDetail = z.infer<typeof submissionDetail>;

export const run4uDetail = defineCall({
  name: 'run4uDetail',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_detail/',
  summary: 'One submission with its structure and the material it became or was found to be',
  access: 'user',
  body: 'json',
  request: z.object({ id: rowId }),
  answer: submissionDetail,
  refusals: [],
  faults: ['run4u.not-found'],
  calculates: true,
});
