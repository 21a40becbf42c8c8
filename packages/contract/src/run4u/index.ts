import { z } from 'zod';
import { formula, materialId, outcome, rowId, defineCall, unit } from '../common.ts';
import * as address from '../calls.ts';
import { cellParameters, structureJson } from '../material/result-schemas.ts';
import { predictedHull, predictedValues } from '../prediction/index.ts';
import {
  calculationService,
  hoppingIon,
  potentialName,
  MAX_UPLOAD_BYTES,
  predictedTask,
  runMethod,
  runPhysics,
  shownStructure,
  submissionQuota,
  submissionRow,
  submissionStatus,
  uploadedSymmetry,
} from './fields.ts';

export * from './fields.ts';

/** Reasons to refuse a structure for a calculation. */
const STRUCTURE_REFUSALS = [
  'run4u.unreadable',
  'run4u.too-many-atoms',
  'run4u.partly-occupied',
  'run4u.overlap',
  'run4u.symmetry-failed',
] as const;

/** Expected duration and method of a calculation, before it is submitted. */
export const run4uExpect = defineCall(address.run4uExpect, {
  summary:
    'Predicted properties of a structure and the expected duration of its calculation, before it is submitted',
  request: z.object({ structure: structureJson.describe('The structure, as returned by `run4u_handle`.') }),
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
      .describe('The prediction; null if there is none: `prediction_message` says why.'),
    prediction_message: z
      .string()
      .describe('Why there is no prediction, or what the hull lacks; otherwise empty.'),
    seconds: z
      .number()
      .nullable()
      .meta(
        unit(
          's',
          'Estimated time until it would be finished, including waiting, from earlier runs; null if no worker can run it now.',
        ),
      ),
  }),
  refusals: [...STRUCTURE_REFUSALS],
  calculates: true,
  maxBodyBytes: 512 * 1024,
});

export const submitOutcome = outcome.extend({
  message: z.string().describe('Success; Full: the quota is used up; otherwise a text for people.'),
  id: z.int().optional().describe('Id of the submission.'),
  status: submissionStatus.optional().describe('queued, running, finished, existed, failed or cancelled.'),
  struct_id: z
    .int()
    .nullable()
    .optional()
    .describe('The material created from it or found to be identical; null before that.'),
  limit: z.int().optional().describe('With Full: the daily limit of submissions of the account.'),
});
export type Submitted = z.infer<typeof submitOutcome>;
/** Outcomes shown on the page: accepted, daily limit reached, or a refusal. */
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
  message: z.literal('Error').describe('Success; Full: the quota is used up; otherwise a text for people.'),
});

/** Limit in bytes: the JSON of 100 atoms with all digits fits. */
const MAX_BODY_BYTES = 64 * 1024;

export const run4uSubmit = defineCall(address.run4uSubmit, {
  summary: 'Submits an uploaded structure for calculation; the daily limit is `quota.limit` of the dashboard',
  maxBodyBytes: MAX_BODY_BYTES,
  request: z.object({
    submit: z.literal(true).optional().describe('True to submit.'),
    structure: z
      .union([structureJson, z.literal(''), z.null()])
      .optional()
      .describe('As returned by the upload; absent, null or empty: nothing was uploaded.'),
    method: runMethod
      .optional()
      .describe(
        '`prediction`: by the built-in potential in seconds, also for crystals of the database; `first-principles`: by a program, as soon as the site has one. Absent: with what the site has.',
      ),
    tasks: z
      .array(predictedTask)
      .max(5)
      .optional()
      .describe(
        'Properties of the relaxed crystal besides its energy. Without `method` they are predicted; of a calculation from first principles `elastic` and `phonons` (at Γ) are possible, with ABINIT.',
      ),
    ion: hoppingIon
      .optional()
      .describe(
        'With the task `barrier`: the ion that hops into a vacancy. Absent: the first of Li, Na, K, Mg, Ca, Zn and Al that the crystal contains.',
      ),
    potential: potentialName
      .optional()
      .describe(
        'Of a prediction: the potential. `sevennet-0` (default), or `sevennet-l3i5`, whose shear constants and frequencies are closer to PBE and which takes three times as long.',
      ),
    physics: z
      .array(runPhysics)
      .max(3)
      .optional()
      .describe(
        'Of a calculation from first principles, which it implies: `hubbard-u`: U of the Materials Project for Co, Cr, Fe, Mn, Mo, Ni, V and W in oxides and fluorides; `dispersion`: D3(BJ); `antiferromagnetic`: collinear antiferromagnetic starts are compared with the ferromagnetic one. Energies with U or D3 are on scales of their own.',
      ),
  }),
  answer: z.union([submitOutcome, nothingToSubmit]),
  refusals: STRUCTURE_REFUSALS,
  calculates: true,
});

const onSubmission = <const Code extends string>(
  call: address.CallAddress,
  summary: string,
  refusals: readonly Code[],
) =>
  defineCall(call, {
    summary,
    request: z.object({ id: rowId.describe('Id of the submission.') }),
    answer: submitOutcome,
    refusals,
    faults: ['run4u.not-found'],
  });

export const run4uCancel = onSubmission(address.run4uCancel, 'Cancels a waiting or running submission', [
  'run4u.not-cancellable',
]);
export const run4uResubmit = onSubmission(
  address.run4uResubmit,
  'Submits a failed or cancelled structure again (counts as one)',
  ['run4u.not-resubmittable', ...STRUCTURE_REFUSALS],
);

export const uploadedStructure = outcome.extend({
  ...shownStructure.shape,
  warnings: z.array(z.string()).describe('Notices about how the file was read.'),
});
export type UploadedStructure = z.infer<typeof uploadedStructure>;

/** The text is neither CIF nor POSCAR; the page shows "Only CIF or VASP format file is valid !" (spec §8). */
const notAStructure = z.object({
  error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
  message: z.literal('').describe('Success; Full: the quota is used up; otherwise a text for people.'),
});

export const run4uHandle = defineCall(address.run4uHandle, {
  summary: 'Reads an uploaded CIF or POSCAR (10 KB, 100 atoms)',
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

/** One submission: its structure and, if it has one, the material it belongs to. */
export const submissionDetail = z.object({
  row: submissionRow.describe('The submission as listed on the dashboard.'),
  submitted: shownStructure.describe('The submitted structure.'),
  match: z
    .object({
      struct_id: materialId,
      rms: z
        .number()
        .nullable()
        .describe(
          'Root mean square displacement in units of (V/atom)^(1/3); null if the two structures no longer match.',
        ),
      material: shownStructure.describe('The structure of that material.'),
    })
    .nullable()
    .describe('The material it belongs to; null if there is none yet.'),
  runs: z
    .array(
      z.object({
        step: z.string().describe('Step of the calculation.'),
        wall_seconds: z.number().meta(unit('s', 'Duration of the run.')),
        cpu_seconds: z.number().meta(unit('s', 'Processor time of the run.')),
        peak_mb: z.number().meta(unit('MB', 'Peak memory of the run.')),
      }),
    )
    .describe('Finished runs of the engine.'),
});
export type SubmissionDetail = z.infer<typeof submissionDetail>;

export const run4uDetail = defineCall(address.run4uDetail, {
  summary: 'One submission with its structure and the material created from it or found to be identical',
  request: z.object({ id: rowId.describe('Id of the submission.') }),
  answer: submissionDetail,
  faults: ['run4u.not-found'],
  calculates: true,
});

/** The data that the page shows of an account: its submissions, newest first, and the structure of the newest. */
export const dashboard = z.object({
  user_data: z
    .object({
      script: z
        .string()
        .describe('CIF text in P 1 with the atoms of the newest submission; empty without one.'),
      lattice: cellParameters.nullable(),
      symmetry: uploadedSymmetry.nullable().describe('The symmetry; null without a structure.'),
      formula,
      structure: structureJson.nullable().describe('The crystal as JSON: lattice and sites.'),
      history: z.array(submissionRow).describe('The submissions, newest first.'),
    })
    .describe('Structure and submissions of the account.'),
  quota: submissionQuota.describe('The daily quota of the account.'),
  service: calculationService.describe('Method and expected duration of a calculation submitted now.'),
});
export type Dashboard = z.infer<typeof dashboard>;

export const dashboardHandle = defineCall(address.dashboardHandle, {
  summary: 'The submissions of the account with their status, and what is left of the daily quota',
  request: z.object({}),
  answer: dashboard,
});

/**
 * Server-sent events: `event: dashboard` with the JSON of {@link dashboard} as data, immediately and after every
 * change.
 */
export const watchSubmissions = defineCall(address.watchSubmissions, {
  summary: 'The dashboard as server-sent events, at once and after every change',
  answer: z.string(),
  answerType: 'text/event-stream',
});
