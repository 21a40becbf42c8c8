/** Accounts, as administrators see and change them. */
import { z } from 'zod';
import { loginSession } from '../account/profile.ts';
import { outcome, rowId } from '../common.ts';
import * as address from '../calls.ts';
import { actOnOne, count, operateCall } from './operate-call.ts';
import { ACCOUNT_ROLES, MAX_DAILY_LIMIT } from './rules.ts';

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
