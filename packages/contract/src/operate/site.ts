/** The site itself: health of its parts, texts of its public pages, keys, budgets, storage and audit log. */
import { z } from 'zod';
import { ownApiKey } from '../account/api-keys.ts';
import { outcome, rowId } from '../common.ts';
import { entryReport } from '../matdata/index.ts';
import { LONGEST_REPORT } from '../matdata/rules.ts';
import * as address from '../calls.ts';
import { actOnOne, count, none, operateCall } from './operate-call.ts';
import { CONTENT_SLUGS, CONTENT_LOCALES, MOST_BACKUPS_KEPT, REPORT_STATES } from './rules.ts';

export const SITE_PARTS = [
  'api',
  'database',
  'replica',
  'queue',
  'threads',
  'workers',
  'storage',
  'catalogue',
  'indexes',
  'messages',
  'texts',
] as const;

/** `watch`: the part works but needs attention; `off`: the part is not configured here. */
export const PART_STATES = ['well', 'watch', 'down', 'off'] as const;

export const sitePart = z.object({
  part: z.enum(SITE_PARTS),
  state: z.enum(PART_STATES),
  facts: z
    .record(z.string(), z.union([z.number(), z.string(), z.null()]))
    .describe('Figures by name; null if unknown.'),
});
export type SitePart = z.infer<typeof sitePart>;

export const operateHealth = operateCall(address.operateHealth, {
  summary: 'State and figures of every part of the site',
  request: none,
  answer: z.object({ at: z.string(), parts: z.array(sitePart) }),
});

const slug = z.enum(CONTENT_SLUGS);
const locale = z.enum(CONTENT_LOCALES);

/** Limit on the length of a text of the public pages, including the lists of the about page. */
export const CONTENT_BYTES = 4 * 1024 * 1024;

export const operateTexts = operateCall(address.operateTexts, {
  summary: 'The texts of the public pages, each with the time of its last change',
  request: none,
  answer: z.object({
    texts: z.array(
      z.object({
        slug,
        locale,
        body: z.unknown(),
        updated_at: z.string(),
        open_places: z.array(z.string()).describe('Placeholders that the operator must replace.'),
      }),
    ),
  }),
});

export const operatePreviewText = operateCall(address.operatePreviewText, {
  summary: 'Preview of a document; nothing is stored',
  request: z.object({ locale, markdown: z.string().max(200_000) }),
  answer: outcome.extend({ html: z.string() }),
  maxBodyBytes: CONTENT_BYTES,
});

export const operateSaveText = operateCall(address.operateSaveText, {
  summary: 'Stores a text of the public pages, unless someone else has changed it meanwhile',
  request: z.object({
    slug,
    locale,
    body: z.record(z.string(), z.unknown()),
    based_on: z
      .string()
      .max(40)
      .nullable()
      .describe('`updated_at` of the edited text; null: there was none.'),
  }),
  answer: outcome.extend({ updated_at: z.string() }),
  refusals: ['operate.text-changed', 'operate.text-invalid'],
  maxBodyBytes: CONTENT_BYTES,
});

export const operatedKey = ownApiKey.extend({ account_id: z.int(), account: z.string() });

export const operateKeys = operateCall(address.operateKeys, {
  summary: 'All API keys, newest first, without the keys themselves',
  request: none,
  answer: z.object({ keys: z.array(operatedKey) }),
});

export const operateRevokeKey = actOnOne(address.operateRevokeKey, {
  summary: 'Revokes a key immediately',
});

export const operateBudgets = operateCall(address.operateBudgets, {
  summary: 'The limits and settings in force; they are set in the environment of the processes',
  request: none,
  answer: z.object({
    limits: z.array(
      z.object({ variable: z.string(), value: z.number(), usual: z.number(), meaning: z.string() }),
    ),
    settings: z.array(z.object({ variable: z.string(), value: z.string() })),
    messages: z
      .object({ left: count, limit: count, left_to_strangers: count, limit_to_strangers: count })
      .describe('Text messages that may still be sent this hour.'),
  }),
});

const folder = z.object({
  name: z.string(),
  bytes: count,
  files: count,
  is_more: z.boolean().describe('Whether there are more files than were counted.'),
});

export const operateStorage = operateCall(address.operateStorage, {
  summary: 'Size of tables and folders, and the free space',
  request: none,
  answer: z.object({
    database_bytes: count,
    tables: z.array(z.object({ name: z.string(), bytes: count, rows: count })),
    folders: z.array(folder),
    home: z.string(),
    disk: z.object({ free: count, total: count }).nullable(),
  }),
});

export const operateBackups = operateCall(address.operateBackups, {
  summary:
    'The schedule of backups, and the newest of them: whether each could be restored, and its location',
  request: none,
  answer: z.object({
    directory: z.string(),
    is_encrypted: z.boolean(),
    time_zone: z.string(),
    /** `pattern` has five cron fields; null means no automatic backups. */
    schedule: z.object({ pattern: z.string(), keep: count, next_at: z.string() }).nullable(),
    backups: z.array(
      z.object({
        id: z.int(),
        file: z.string(),
        is_scheduled: z.boolean(),
        is_encrypted: z.boolean(),
        started_at: z.string(),
        bytes: count.nullable(),
        verified_at: z
          .string()
          .nullable()
          .describe('Whether it was restored into a scratch database with every row compared.'),
        problem: z.string(),
        removed_at: z
          .string()
          .nullable()
          .describe('Whether the file was deleted because newer ones are kept.'),
      }),
    ),
  }),
});

export const operateBackUp = operateCall(address.operateBackUp, {
  summary: 'Makes a worker create and verify a backup, which then appears in the list',
  request: none,
  answer: outcome,
});

export const operateBackupSchedule = operateCall(address.operateBackupSchedule, {
  summary: 'Sets the schedule of automatic backups, and how many are kept',
  request: z.object({
    pattern: z
      .string()
      .trim()
      .min(9)
      .max(100)
      .nullable()
      .describe(
        'Minute, hour, day, month and weekday as in cron, in the time zone of the site; null: never.',
      ),
    keep: z.int().min(1).max(MOST_BACKUPS_KEPT).default(14),
  }),
  answer: outcome,
  refusals: ['operate.backup-time'],
});

const operatedReport = entryReport.extend({
  formula: z.string().nullable().describe('null: the material was merged or deleted.'),
  account_id: z.int().nullable().describe('The reporter; null: a visitor or a deleted account.'),
  account: z.string().nullable(),
  email: z.string().describe('E-mail address for questions; may be empty.'),
});
export type OperatedReport = z.infer<typeof operatedReport>;

export const operateReports = operateCall(address.operateReports, {
  summary: 'Reports of problems with entries, newest first',
  request: z.object({
    state: z.enum(REPORT_STATES).nullable().default(null),
    before: rowId.nullable().default(null),
  }),
  answer: z.object({
    reports: z.array(operatedReport),
    has_more: z.boolean(),
    counts: z.object({ open: count, answered: count }),
  }),
});

export const operateAnswerReport = operateCall(address.operateAnswerReport, {
  summary: 'Answers a report, or replaces its answer; the reporter reads it on the page of the material',
  request: z.object({ id: rowId, answer: z.string().trim().min(1).max(LONGEST_REPORT) }),
  answer: outcome,
});

export const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  event: z.string(),
  /** The account concerned, and the administrator who acted. */
  account_id: z.int().nullable(),
  account: z.string().nullable(),
  actor_id: z.int().nullable(),
  actor: z.string().nullable(),
  address: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntryShown = z.infer<typeof auditEntry>;

export const operateAudit = operateCall(address.operateAudit, {
  summary: 'The audit log, newest first',
  request: z.object({
    account: rowId.nullable().default(null),
    actor: rowId.nullable().default(null),
    event: z.string().max(60).nullable().default(null),
    since: z.iso.datetime().nullable().default(null).describe('ISO 8601.'),
    before: z
      .string()
      .regex(/^\d{1,18}$/)
      .nullable()
      .default(null),
  }),
  answer: z.object({ rows: z.array(auditEntry), has_more: z.boolean(), events: z.array(z.string()) }),
});
