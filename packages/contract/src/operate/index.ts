/** The calls of the operator. */
import { z } from 'zod';
import { loginSession } from '../account/index.ts';
import { outcome, rowId } from '../common.ts';
import * as address from '../calls.ts';
import { actOnOne, count, operateCall, none } from './operate-call.ts';
import { ACCOUNT_ROLES, MAX_DAILY_LIMIT, SUBMISSION_STATES, JOB_STATES } from './rules.ts';

export * from './rules.ts';
export * from './site.ts';

// Accounts, as administrators see and change them.

export const accountRole = z.enum(ACCOUNT_ROLES);
export type AccountRole = z.infer<typeof accountRole>;

export const operatedAccount = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  mobile: z.string().describe('With its middle masked; empty without one.'),
  role: accountRole,
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  blocked_at: z.string().nullable(),
  sessions: count,
  has_second_factor: z.boolean(),
  run4u: z
    .object({ used: count, limit: count, own_limit: count.nullable() })
    .describe('Submissions today and the limit; `own_limit` null: the default of the site.'),
});
export type OperatedAccount = z.infer<typeof operatedAccount>;

export const operatePeople = operateCall(address.operatePeople, {
  summary: 'Accounts, newest first; searched by part of a name or number, or a whole UID',
  request: z.object({
    search: z.string().trim().max(100).default(''),
    role: accountRole.nullable().default(null),
    only_blocked: z.boolean().default(false),
    before: rowId.nullable().default(null).describe('Only accounts created before this one.'),
  }),
  answer: z.object({
    people: z.array(operatedAccount),
    has_more: z.boolean(),
    counts: z.object({ common: count, internal: count, administrator: count, blocked: count }),
    you: z.int().describe('Id of the account that makes the request.'),
  }),
});

export const operatePerson = operateCall(address.operatePerson, {
  summary: 'One account: its sessions, sign-in methods and submissions',
  request: z.object({ id: rowId }),
  answer: z.object({
    person: operatedAccount,
    sessions: z.array(loginSession),
    providers: z.array(z.string()),
    submissions: z.record(z.string(), count),
    keys: count,
  }),
});

export const operateBlock = actOnOne(address.operateBlock, {
  summary: 'Blocks an account and ends its sessions',
  refusals: ['operate.yourself', 'operate.already-blocked', 'account.last-administrator'],
});

export const operateUnblock = actOnOne(address.operateUnblock, {
  summary: 'Unblocks an account',
  refusals: ['operate.not-blocked'],
});

export const operateRole = operateCall(address.operateRole, {
  summary: 'Makes an account common, internal or an administrator, effective in all its sessions',
  request: z.object({ id: rowId, role: accountRole }),
  answer: outcome,
  refusals: ['account.last-administrator'],
});

export const operateQuota = operateCall(address.operateQuota, {
  summary: 'Sets the daily limit of Run4U submissions of an account; null: the default of the site',
  request: z.object({ id: rowId, daily_limit: count.max(MAX_DAILY_LIMIT).nullable() }),
  answer: outcome,
});

export const operateEndSessions = operateCall(address.operateEndSessions, {
  summary: 'Ends one session of an account, or all of them',
  request: z.object({ id: rowId, session_id: z.uuid().optional() }),
  answer: outcome,
});

export const operateResetFactor = actOnOne(address.operateResetFactor, {
  summary: 'Removes the second factor of an account whose owner lost it; all sessions end',
  refusals: ['operate.no-factor'],
});

export const operateDeletePerson = actOnOne(address.operateDeletePerson, {
  summary: 'Erases the personal data of an account, as its owner could',
  refusals: ['operate.yourself', 'account.last-administrator'],
});

export const operateInvite = operateCall(address.operateInvite, {
  summary: 'A link that signs in once: to a new account, or to an existing one',
  request: z.object({
    id: rowId.nullable().default(null).describe('Id of an existing account; null creates one.'),
    name: z.string().trim().max(60).default(''),
    role: accountRole.nullable().default(null).describe('null keeps the role of an existing account.'),
  }),
  answer: outcome.extend({ id: z.int(), link: z.string(), hours: z.int() }),
  refusals: ['operate.other-administrator', 'account.last-administrator', 'account.blocked'],
});

// Calculations, derived data and imports: submissions, workers, releases and the queue.

export const operatedSubmission = z.object({
  id: z.int(),
  account_id: z.int(),
  account: z.string(),
  formula: z.string(),
  atoms: count,
  status: z.enum(SUBMISSION_STATES),
  step: z.string(),
  reason: z.string(),
  struct_id: z.int().nullable(),
  submitted_at: z.string(),
  seconds: z.number().nullable().describe('From its start to its end, or until now.'),
  worker: z.string().nullable(),
});
export type OperatedSubmission = z.infer<typeof operatedSubmission>;

export const calculatingWorker = z.object({
  id: z.string(),
  host: z.string(),
  executor: z.string(),
  engine: z.string().nullable().describe('null: it has none, and `missing` says what to install.'),
  engine_version: z.string(),
  missing: z.string(),
  slots: count,
  seconds_ago: z.number(),
});

const times = z.object({ median: z.number().nullable(), p95: z.number().nullable() });

export const operateSubmissions = operateCall(address.operateSubmissions, {
  summary: 'Submissions of all accounts, newest first, and the workers',
  request: z.object({
    status: z.enum(SUBMISSION_STATES).nullable().default(null),
    before: rowId.nullable().default(null),
  }),
  answer: z.object({
    submissions: z.array(operatedSubmission),
    has_more: z.boolean(),
    counts: z.record(z.string(), count),
    wait: times,
    run: times,
    oldest_waiting_seconds: z.number().nullable(),
    is_draining: z.boolean(),
    workers: z.array(calculatingWorker),
  }),
});

export const operateCancel = actOnOne(address.operateCancel, {
  summary: 'Cancels a waiting or running submission',
  refusals: ['run4u.not-cancellable'],
});

export const operateRetry = actOnOne(address.operateRetry, {
  summary:
    'Queues a failed or cancelled submission again, from its last finished step, without counting it in the quota',
  refusals: ['run4u.not-resubmittable'],
});

export const operateDrain = operateCall(address.operateDrain, {
  summary: 'Stops or resumes starting submissions; running ones are finished',
  request: z.object({ draining: z.boolean() }),
  answer: outcome,
});

export const workUnderWay = z.object({
  id: z.int(),
  kind: z.enum(['import', 'derive', 'potential']),
  detail: z.string().describe('The file; empty for a derivation.'),
  done: z.number(),
  total: z.number(),
  started_at: z.string(),
  seconds_ago: z
    .number()
    .describe('Time since its last progress report; after a minute it counts as ended unexpectedly.'),
});

export const storedRelease = z.object({
  id: z.int(),
  kind: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  accepted: count.nullable().describe('Materials imported; null for a rebuild.'),
});

export const operateImports = operateCall(address.operateImports, {
  summary: 'Imports and derivations in progress, files read, releases, and refused imports',
  request: none,
  answer: z.object({
    under_way: z.array(workUnderWay),
    waiting: z
      .object({ systems: count, windows: count })
      .describe('Chemical systems that wait for their hulls, and for their windows.'),
    files: z.array(
      z.object({
        path: z.string(),
        accepted: count,
        refused: count,
        duplicates: count,
        started_at: z.string(),
        finished_at: z.string().nullable(),
      }),
    ),
    releases: z.array(storedRelease),
    refused: z
      .array(z.object({ file: z.string(), at: z.string(), surprises: z.array(z.string()) }))
      .describe('Refused imports: report files in UNITCELL_HOME/reports, with the printed reasons.'),
    dumps: z.array(z.object({ release: z.int(), published_at: z.string(), materials: count, bytes: count })),
  }),
});

const hullChange = z.object({
  struct_id: z.int(),
  formula: z.string(),
  before: z.number().nullable(),
  after: z.number().nullable(),
});

export const operateRelease = operateCall(address.operateRelease, {
  summary: 'The report of a release: its files, and the changes on each energy scale',
  request: z.object({ id: rowId }),
  answer: z.object({
    release: storedRelease,
    files: z.array(z.object({ path: z.string(), accepted: count, refused: count, duplicates: count })),
    hulls: z.array(
      z.object({
        functional: z.string(),
        compared: count,
        changed: count,
        became_stable: count,
        ceased_to_be_stable: count,
        largest: z.array(hullChange),
      }),
    ),
  }),
});

export const queuedJob = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(JOB_STATES),
  progress: z.number().nullable().describe('0 to 1; null: not reported.'),
  attempts: count,
  added_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  reason: z.string().describe('Error of a failed job.'),
});
export type QueuedJob = z.infer<typeof queuedJob>;

export const operateQueue = operateCall(address.operateQueue, {
  summary: 'Jobs of the queue: active, waiting, failed and recently finished',
  request: none,
  answer: z.object({
    backend: z.enum(['redis', 'postgres']),
    is_there: z.boolean().describe('false: the queue did not answer in time.'),
    counts: z.record(z.string(), count),
    jobs: z.array(queuedJob),
  }),
});

const jobRequest = z.object({ id: z.string().min(1).max(200) });

export const operateRetryJob = operateCall(address.operateRetryJob, {
  summary: 'Retries a failed job',
  request: jobRequest,
  answer: outcome,
  refusals: ['operate.job-not-failed'],
});

export const operateRemoveJob = operateCall(address.operateRemoveJob, {
  summary: 'Removes a job that is not running from the queue',
  request: jobRequest,
  answer: outcome,
  refusals: ['operate.job-runs'],
});
