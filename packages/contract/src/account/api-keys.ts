/**
 * API keys of members, if the operator allows them: created, listed and revoked by their owners; and what a
 * key may read about itself.
 */
import { z } from 'zod';
import { unit } from '../field-meta.ts';
import { emptyRequest, outcome, rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { smsToken } from './fields.ts';

/** Active keys per account, days of validity, characters of the label. */
export const OWN_KEY_LIMITS = { keys: 5, days: 365, label: 60 } as const;

export const apiKeyState = z.enum(['active', 'expired', 'revoked']);

export const ownApiKey = z.object({
  id: z.int().describe('Number of the key.'),
  label: z.string().describe('Name the owner gave it.'),
  prefix: z.string().describe('Its first characters, to recognise it by.'),
  scopes: z.array(z.string()).describe('Groups of calls it opens; all: every group.'),
  rate_per_minute: z.int().describe('Calls it may make in a minute.'),
  created_at: z.string().describe('When it was made, ISO 8601.'),
  expires_at: z.string().describe('When it ends, ISO 8601.'),
  last_used_at: z.string().nullable().describe('When it was last used, ISO 8601; null: never.'),
  state: apiKeyState.describe('active, expired or revoked.'),
});
export type OwnApiKey = z.infer<typeof ownApiKey>;

export const listApiKeys = defineCall({
  name: 'listApiKeys',
  group: 'account',
  method: 'GET',
  path: '/api/arkid/keys/',
  summary: 'The keys of the account, newest first, and whether it may make one',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: z.object({
    allowed: z.boolean().describe('The operator lets members make keys themselves.'),
    scopes_offered: z.array(z.string()).describe('Scopes a key may be given.'),
    max_keys: z.int().describe('Active keys an account may have.'),
    max_days: z.int().describe('Days a key may live.'),
    keys: z.array(ownApiKey).describe('Keys of the account that were not deleted, newest first.'),
  }),
  refusals: [],
});

export const createApiKey = defineCall({
  name: 'createApiKey',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/create_key/',
  summary:
    'Makes a key and answers it, this once; confirmed by a code of bind_request_sm to the number of the account',
  access: 'user',
  body: 'json',
  request: z.object({
    sms_token: smsToken,
    label: z.string().trim().min(1).max(OWN_KEY_LIMITS.label).describe('Name the owner gave it.'),
    scopes: z
      .array(z.string().max(40))
      .min(1)
      .max(30)
      .describe('Groups of calls it opens; all: every group.'),
    days: z.int().min(1).max(OWN_KEY_LIMITS.days).describe('Days from now until it ends.'),
  }),
  answer: outcome.extend({
    id: z.int().describe('Number of the key.'),
    key: z.string().describe('The key: shown this once, only its hash is kept.'),
    expires_at: z.string().describe('When it ends, ISO 8601.'),
  }),
  refusals: ['key.not-offered', 'key.scope', 'key.too-many', 'login.wrong-token', 'login.other-number'],
});

export const revokeApiKey = defineCall({
  name: 'revokeApiKey',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/revoke_key/',
  summary: 'Ends a key of the account at once',
  access: 'user',
  body: 'json',
  request: z.object({ id: rowId.describe('Number of the key.') }),
  answer: outcome,
  refusals: [],
  faults: ['key.not-found'],
});

export const getKey = defineCall({
  name: 'getKey',
  group: 'account',
  method: 'GET',
  path: '/api/key/',
  summary: 'What the key that asks opens, until when, and what is left of its budgets',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: ownApiKey.omit({ state: true }).extend({
    budgets: z
      .array(
        z.object({
          name: z.string().describe('Name of the budget, as in the RateLimit fields of answers.'),
          limit: z.int().describe('How many in a minute.'),
          left: z.int().describe('How many are left now.'),
          window_seconds: z.int().meta(unit('s', 'The window the limit is of.')),
        }),
      )
      .describe('What may be asked in a minute, and what is left of it.'),
  }),
  refusals: ['key.none'],
});
