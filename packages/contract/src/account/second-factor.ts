/** The second factor of an account: codes of an authenticator app (RFC 6238), and recovery codes. */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { challenge, smsToken } from './fields.ts';

export const secondFactorCode = z
  .string()
  .max(64)
  .meta({ pattern: '^(?:[0-9]{6}|[A-Za-z2-7]{4}(?:[ -]?[A-Za-z2-7]{4}){3})$' })
  .transform((typed) => typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^(?:\d{6}|[A-Z2-7]{16})$/, 'six digits or a recovery code'))
  .describe(
    'Six digits of the authenticator app, or a recovery code; blanks, hyphens and case do not matter.',
  );

export const getSecondFactor = defineCall({
  name: 'getSecondFactor',
  group: 'account',
  method: 'GET',
  path: '/api/arkid/second_factor/',
  summary: 'Whether signing in to this account takes a second factor',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: z.object({
    enabled: z.boolean().describe('Signing in takes a second factor.'),
    demanded: z.boolean().describe('The operator demands it of this account: it cannot be taken off.'),
    recovery_codes_left: z.int().describe('Recovery codes that were not used yet.'),
  }),
  refusals: [],
});

export const secondFactorEnroll = defineCall({
  name: 'secondFactorEnroll',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/second_factor_enroll/',
  summary:
    'Answers the secret for an authenticator app; nothing is demanded before second_factor_confirm. Signed in: with the sms_token of a code of bind_request_sm to the number of the account; in a sign-in that demands it: with its challenge',
  access: 'public',
  body: 'json',
  request: z.object({ sms_token: smsToken.optional(), challenge: challenge.optional() }),
  answer: outcome.extend({
    secret: z.string().describe('Secret of the authenticator in Base32, for typing.'),
    uri: z.string().describe('`otpauth://…`, for a QR code.'),
  }),
  refusals: ['login.wrong-token', 'login.other-number', 'second-factor.expired', 'second-factor.already'],
  faults: ['auth.missing'],
  knowsMembers: true,
});

export const secondFactorConfirm = defineCall({
  name: 'secondFactorConfirm',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/second_factor_confirm/',
  summary:
    'Puts the second factor in force by a first code of the app, and answers the recovery codes, which are shown this once. Other sessions end; in a sign-in the token comes along',
  access: 'public',
  body: 'json',
  request: z.object({ code: secondFactorCode, challenge: challenge.optional() }),
  answer: outcome.extend({
    recovery_codes: z.array(z.string()).describe('Codes for the day the telephone is lost; shown once.'),
    token: z
      .string()
      .optional()
      .describe('Login token, for `Authorization: token …`; absent when a second factor is asked for.'),
  }),
  refusals: [
    'second-factor.wrong-code',
    'second-factor.expired',
    'second-factor.unreadable',
    'account.blocked',
  ],
  faults: ['second-factor.too-many', 'auth.missing'],
  knowsMembers: true,
});

export const secondFactorVerify = defineCall({
  name: 'secondFactorVerify',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/second_factor_verify/',
  summary:
    'Ends a sign-in that asked for a second factor: exchanges its challenge and a code for a login token',
  access: 'public',
  body: 'json',
  request: z.object({ challenge, code: secondFactorCode }),
  answer: outcome.extend({
    token: z
      .string()
      .describe('Login token, for `Authorization: token …`; absent when a second factor is asked for.'),
  }),
  refusals: [
    'second-factor.wrong-code',
    'second-factor.expired',
    'second-factor.unreadable',
    'account.blocked',
  ],
  faults: ['second-factor.too-many'],
  knowsMembers: true,
});

export const secondFactorDisable = defineCall({
  name: 'secondFactorDisable',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/second_factor_disable/',
  summary: 'Takes the second factor off the account, by a code of it; other sessions end',
  access: 'user',
  body: 'json',
  request: z.object({ code: secondFactorCode }),
  answer: outcome,
  refusals: ['second-factor.wrong-code', 'second-factor.demanded', 'second-factor.unreadable'],
  faults: ['second-factor.too-many'],
});
