/** Submitting, cancelling and submitting again. */
import { z } from 'zod';
import { outcome, rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { structureJson } from '../material/result-schemas.ts';
import { STRUCTURE_REFUSALS } from './refusals.ts';
import { submissionStatus } from './fields.ts';

/** `message` is Success, or Full: the quota is used up. */
export const submitOutcome = outcome.extend({
  id: z.int().optional(),
  status: submissionStatus.optional(),
  struct_id: z.int().nullable().optional(),
});
export type Submitted = z.infer<typeof submitOutcome>;
/** What the page tells of: done, full, or a refusal. */
export type SubmitOutcome =
  | Submitted
  | { readonly error: 'true'; readonly message: string; readonly status?: undefined };

/** No structure was sent (spec §8). */
const nothingToSubmit = z.object({ error: z.literal('true'), message: z.literal('Error') });

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
  answer: z.union([submitOutcome, nothingToSubmit]),
  refusals: STRUCTURE_REFUSALS,
  calculates: true,
});

const onSubmission = <const Code extends string>(
  verb: 'cancel' | 'resubmit',
  summary: string,
  refusals: readonly Code[],
) =>
  defineCall({
    name: `run4u${verb === 'cancel' ? 'Cancel' : 'Resubmit'}`,
    group: 'run4u',
    method: 'POST',
    path: `/api/run4u/run4u_${verb}/`,
    summary,
    access: 'user',
    body: 'json',
    request: z.object({ id: rowId }),
    answer: submitOutcome,
    refusals,
    faults: ['run4u.not-found'],
  });

export const run4uCancel = onSubmission('cancel', 'Cancels a submission that waits or runs', [
  'run4u.not-cancellable',
]);
export const run4uResubmit = onSubmission(
  'resubmit',
  'Submits a failed or cancelled structure again (counts as one)',
  ['run4u.not-resubmittable', ...STRUCTURE_REFUSALS],
);
