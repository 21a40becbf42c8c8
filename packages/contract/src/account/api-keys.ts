/**
 * API keys of members, if the operator allows them. Owners create, list and revoke their keys; a key can read its own
 * details.
 */
import { z } from 'zod';
import { unit, outcome, rowId, defineCall } from '../common.ts';
import * as address from '../calls.ts';
import { smsToken } from './fields.ts';

/** Active keys per account, days of validity, and characters of the label. */
export const OWN_KEY_LIMITS = { keys: 5, days: 365, label: 60 } as const;

export const apiKeyState = z.enum(['active', 'expired', 'revoked']);

export const ownApiKey = z.object({
  id: z.int().describe('Id of the key.'),
  label: z.string().describe('Name given by the owner.'),
  prefix: z.string().describe('First characters of the key, for recognising it.'),
  scopes: z.array(z.string()).describe('Groups of calls that the key may make; all: every group.'),
  rate_per_minute: z.int().describe('Calls per minute.'),
  created_at: z.string().describe('Time of creation, ISO 8601.'),
  expires_at: z.string().describe('Time of expiry, ISO 8601.'),
  last_used_at: z.string().nullable().describe('Time of last use, ISO 8601; null: never used.'),
  state: apiKeyState.describe('active, expired or revoked.'),
});
export type OwnApiKey = z.infer<typeof ownApiKey>;

export const listApiKeys = defineCall(address.listApiKeys, {
  summary: 'The API keys of the account, newest first, and whether it may create keys',
  answer: z.object({
    allowed: z.boolean().describe('Whether members may create keys.'),
    scopes_offered: z.array(z.string()).describe('Scopes available for a key.'),
    max_keys: z.int().describe('Limit of active keys per account.'),
    max_days: z.int().describe('Limit of a key’s validity, days.'),
    keys: z.array(ownApiKey).describe('Keys of the account that were not deleted, newest first.'),
  }),
});

export const createApiKey = defineCall(address.createApiKey, {
  summary:
    'Creates an API key and returns it once; confirmed by a code of bind_request_sm to the number of the account',
  request: z.object({
    sms_token: smsToken,
    label: z.string().trim().min(1).max(OWN_KEY_LIMITS.label).describe('Name given by the owner.'),
    scopes: z
      .array(z.string().max(40))
      .min(1)
      .max(30)
      .describe('Groups of calls that the key may make; all: every group.'),
    days: z.int().min(1).max(OWN_KEY_LIMITS.days).describe('Days until the key expires.'),
  }),
  answer: outcome.extend({
    id: z.int().describe('Id of the key.'),
    key: z.string().describe('The key. It is returned only once; the server stores only its hash.'),
    expires_at: z.string().describe('Time of expiry, ISO 8601.'),
  }),
  refusals: ['key.not-offered', 'key.scope', 'key.too-many', 'login.wrong-token', 'login.other-number'],
});

export const revokeApiKey = defineCall(address.revokeApiKey, {
  summary: 'Revokes an API key of the account immediately',
  request: z.object({ id: rowId.describe('Id of the key.') }),
  answer: outcome,
  faults: ['key.not-found'],
});

export const getKey = defineCall(address.getKey, {
  summary: 'Scopes, expiry and remaining budgets of the key that makes the request',
  answer: ownApiKey.omit({ state: true }).extend({
    budgets: z
      .array(
        z.object({
          name: z.string().describe('Name of the budget, as in the RateLimit fields of answers.'),
          limit: z.int().describe('Limit of calls.'),
          left: z.int().describe('Remaining calls.'),
          window_seconds: z.int().meta(unit('s', 'Length of the time window.')),
        }),
      )
      .describe('Limits per time window and what is left of them.'),
  }),
  refusals: ['key.none'],
});
