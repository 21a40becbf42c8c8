/** Submitting, cancelling and submitting again. */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { structureJson } from '../matdata/get-struct-detail.ts';
import { submissionStatus } from './fields.ts';
import { examples } from './run4u-submit.examples.ts';

/** `message` is Success, Error (no structure), Full (quota used up), or a sentence. */
export const submitOutcome = outcome.extend({
  id: z.int().optional(),
  status: submissionStatus.optional(),
  struct_id: z.int().nullable().optional(),
});
export type SubmitOutcome = z.infer<typeof submitOutcome>;

/** Bytes of the JSON of 100 atoms with all digits. */
const MAX_BODY_BYTES = 64 * 1024;

export const run4uSubmit = defineCall({
  name: 'run4uSubmit',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_submit/',
  summary: 'Submits an uploaded structure for calculation; three a day and account',
  access: 'user',
  body: 'json',
  maxBodyBytes: MAX_BODY_BYTES,
  request: z.object({
    submit: z.boolean().optional(),
    /** As the upload answered it; absent, null or empty: nothing was uploaded. */
    structure: z.union([structureJson, z.literal(''), z.null()]).optional(),
  }),
  response: submitOutcome,
  example: examples.run4uSubmit,
});

const onSubmission = (verb: 'cancel' | 'resubmit', summary: string) =>
  defineCall({
    name: `run4u${verb === 'cancel' ? 'Cancel' : 'Resubmit'}`,
    group: 'run4u',
    method: 'POST',
    path: `/api/run4u/run4u_${verb}/`,
    summary,
    access: 'user',
    body: 'json',
    request: z.object({ id: z.int().positive().max(2_147_483_647) }),
    response: submitOutcome,
    example: examples[verb === 'cancel' ? 'run4uCancel' : 'run4uResubmit'],
  });

export const run4uCancel = onSubmission('cancel', 'Cancels a submission that waits or runs');
export const run4uResubmit = onSubmission(
  'resubmit',
  'Submits a failed or cancelled structure again (counts as one)',
);
