/** The calls of run4u. */
import { z } from 'zod';
import { formula, materialId, outcome, rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { cellParameters, structureJson } from '../material/result-schemas.ts';
import { predictedHull, predictedValues } from '../prediction/index.ts';
import {
  calculationService,
  MAX_UPLOAD_BYTES,
  shownStructure,
  submissionQuota,
  submissionRow,
  submissionStatus,
  uploadedSymmetry,
} from './fields.ts';

export * from './fields.ts';

/** Why a structure is not taken for a calculation. */
const STRUCTURE_REFUSALS = [
  'run4u.unreadable',
  'run4u.too-many-atoms',
  'run4u.partly-occupied',
  'run4u.overlap',
  'run4u.symmetry-failed',
] as const;

/** What is to be expected of a calculation before it is asked for. */
export const run4uExpect = defineCall({
  name: 'run4uExpect',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_expect/',
  summary:
    'What a structure is predicted to be, and how long its calculation may take, before it is submitted',
  access: 'user',
  body: 'json',
  request: z.object({ structure: structureJson.describe('The structure, as `run4u_handle` answers it.') }),
  answer: outcome.extend({
    prediction: z
      .object({
        model: z
          .string()
          .describe(
            'First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.',
          ),
        ...predictedValues.shape,
        hull: predictedHull.nullable(),
      })
      .nullable()
      .describe('What is to be expected; null where nothing is predicted: `prediction_message` says why.'),
    prediction_message: z
      .string()
      .describe('Why nothing is predicted, or what the hull lacks; empty where all is there.'),
    seconds: z
      .number()
      .nullable()
      .meta(
        unit(
          's',
          'Until it would be finished, waiting included, as earlier runs tell; null when no worker can run it now.',
        ),
      ),
  }),
  refusals: [...STRUCTURE_REFUSALS],
  calculates: true,
  maxBodyBytes: 512 * 1024,
});

export const submitOutcome = outcome.extend({
  message: z.string().describe('Success; Full: the quota is used up; else for people.'),
  id: z.int().optional().describe('Number of the submission.'),
  status: submissionStatus.optional().describe('queued, running, finished, existed, failed or cancelled.'),
  struct_id: z
    .int()
    .nullable()
    .optional()
    .describe('The material it became, or was found to be; null before that.'),
  limit: z
    .int()
    .optional()
    .describe('Beside Full: structures the account may submit in a day, as the site or the account is set.'),
});
export type Submitted = z.infer<typeof submitOutcome>;
/** What the page tells of: done, full, or a refusal. */
export type SubmitOutcome =
  | Submitted
  | {
      readonly error: 'true';
      readonly message: string;
      readonly status?: undefined;
      readonly limit?: undefined;
    };

/** No structure was sent (spec §8). */
const nothingToSubmit = z.object({
  error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
  message: z.literal('Error').describe('Success; Full: the quota is used up; else for people.'),
});

/** Bytes of the JSON of 100 atoms with all digits. */
const MAX_BODY_BYTES = 64 * 1024;

export const run4uSubmit = defineCall({
  name: 'run4uSubmit',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_submit/',
  summary:
    'Submits an uploaded structure for calculation; so many a day and account as `quota.limit` of the dashboard says',
  access: 'user',
  body: 'json',
  maxBodyBytes: MAX_BODY_BYTES,
  request: z.object({
    submit: z.boolean().optional().describe('True to submit.'),
    structure: z
      .union([structureJson, z.literal(''), z.null()])
      .optional()
      .describe('As the upload answered it; absent, null or empty: nothing was uploaded.'),
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
    request: z.object({ id: rowId.describe('Number of the submission.') }),
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

export const uploadedStructure = outcome.extend({
  ...shownStructure.shape,
  warnings: z.array(z.string()).describe('Things to know about how the file was read.'),
});
export type UploadedStructure = z.infer<typeof uploadedStructure>;

/** Neither CIF nor POSCAR: the page says "Only CIF or VASP format file is valid !" (spec §8). */
const notAStructure = z.object({
  error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
  message: z.literal('').describe('Success; Full: the quota is used up; else for people.'),
});

export const run4uHandle = defineCall({
  name: 'run4uHandle',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_handle/',
  summary: 'Reads an uploaded CIF or POSCAR (10 KB, 100 atoms)',
  access: 'user',
  body: {
    fileField: 'cif-file',
    meaning: 'The file: CIF or POSCAR.',
    maxBytes: MAX_UPLOAD_BYTES,
    missing: 'run4u.no-file',
    tooLarge: 'run4u.too-large',
  },
  request: z.unknown(),
  answer: z.union([uploadedStructure, notAStructure]),
  refusals: ['run4u.no-file', 'run4u.too-large', ...STRUCTURE_REFUSALS],
});

/** One submission: its structure and, where there is one, the material it belongs to, side by side. */
export const submissionDetail = z.object({
  row: submissionRow.describe('The submission as the dashboard lists it.'),
  submitted: shownStructure.describe('The structure that was submitted.'),
  match: z
    .object({
      struct_id: materialId,
      rms: z
        .number()
        .nullable()
        .describe(
          'Root mean square displacement in units of (V/atom)^(1/3); null when the two are not alike any more.',
        ),
      material: shownStructure.describe('The structure of that material.'),
    })
    .nullable()
    .describe('The material it belongs to; null when there is none yet.'),
  runs: z
    .array(
      z.object({
        step: z.string().describe('Step of the calculation.'),
        wall_seconds: z.number().meta(unit('s', 'Time the run took.')),
        cpu_seconds: z.number().meta(unit('s', 'Processor time of the run.')),
        peak_mb: z.number().meta(unit('MB', 'Largest memory of the run.')),
      }),
    )
    .describe('Finished runs of the engine.'),
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
  request: z.object({ id: rowId.describe('Number of the submission.') }),
  answer: submissionDetail,
  refusals: [],
  faults: ['run4u.not-found'],
  calculates: true,
});

/** What the page shows of an account: its submissions, newest first, and the structure of the newest. */
export const dashboard = z.object({
  user_data: z
    .object({
      script: z
        .string()
        .describe('CIF text in P 1 of the atoms of the newest submission; empty without one.'),
      lattice: cellParameters.nullable(),
      symmetry: uploadedSymmetry.nullable().describe('The symmetry found; null without a structure.'),
      formula,
      structure: structureJson.nullable().describe('The crystal as JSON: lattice and sites.'),
      history: z.array(submissionRow).describe('The submissions, newest first.'),
    })
    .describe('What the account has submitted.'),
  quota: submissionQuota.describe('What the account may submit in a day.'),
  service: calculationService.describe(
    'What a submission sent now would be calculated with, and how long that takes.',
  ),
});
export type Dashboard = z.infer<typeof dashboard>;

export const dashboardHandle = defineCall({
  name: 'dashboardHandle',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/dashboard_handle/',
  summary: 'The submissions of the account with their state, and what is left of today’s quota',
  access: 'user',
  body: 'json',
  request: z.object({}),
  answer: dashboard,
  refusals: [],
});

/** Server-sent events: `event: dashboard` with the JSON of {@link dashboard} as data, at once and after every change. */
export const watchSubmissions = defineCall({
  name: 'watchSubmissions',
  group: 'run4u',
  method: 'GET',
  path: '/api/run4u/events/',
  summary: 'The dashboard as server-sent events, at once and after every change',
  access: 'user',
  body: 'none',
  request: z.object({}).optional(),
  answer: z.string(),
  refusals: [],
  answerType: 'text/event-stream',
});
