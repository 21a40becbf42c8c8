/** Keys of a member's programs: made by themselves where the operator allows it, listed, ended; what a key may ask of itself. */
import { z } from 'zod';
import { emptyRequest, outcome, rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { smsToken } from './fields.ts';

/** Active keys an account may have, days one may live, characters of its name. */
export const OWN_KEY_LIMITS = { keys: 5, days: 365, label: 60 } as const;

export const apiKeyState = z.enum(['active', 'expired', 'revoked']);

export const ownApiKey = z.object({
  id: z.int(),
  label: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  rate_per_minute: z.int(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  state: apiKeyState,
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
    allowed: z.boolean(),
    scopes_offered: z.array(z.string()),
    max_keys: z.int(),
    max_days: z.int(),
    keys: z.array(ownApiKey),
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
    label: z.string().trim().min(1).max(OWN_KEY_LIMITS.label),
    scopes: z.array(z.string().max(40)).min(1).max(30),
    days: z.int().min(1).max(OWN_KEY_LIMITS.days),
  }),
  answer: outcome.extend({ id: z.int(), key: z.string(), expires_at: z.string() }),
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
  request: z.object({ id: rowId }),
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
    budgets: z.array(z.object({ name: z.string(), limit: z.int(), left: z.int(), window_seconds: z.int() })),
  }),
  refusals: ['key.none'],
});
