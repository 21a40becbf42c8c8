/** The second factor of an account: codes of an authenticator app (RFC 6238), and recovery codes. */
import { z } from 'zod';
import { outcome } from '../common.ts';
import * as address from '../calls.ts';
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

export const getSecondFactor = defineCall(address.getSecondFactor, {
  summary: 'Whether sign-in to this account requires a second factor',
  answer: z.object({
    enabled: z.boolean().describe('Whether sign-in requires a second factor.'),
    demanded: z
      .boolean()
      .describe('Whether the operator requires it for this account, so that it cannot be removed.'),
    recovery_codes_left: z.int().describe('Unused recovery codes.'),
  }),
});

export const secondFactorEnroll = defineCall(address.secondFactorEnroll, {
  summary:
    'Returns the secret for an authenticator app; the second factor is not active before second_factor_confirm. Signed in: with the sms_token of a code of bind_request_sm to the number of the account; during a sign-in that requires it: with its challenge',
  access: 'public',
  request: z.object({ sms_token: smsToken.optional(), challenge: challenge.optional() }),
  answer: outcome.extend({
    secret: z.string().describe('Secret of the authenticator in Base32, for manual entry.'),
    uri: z.string().describe('`otpauth://…`, for a QR code.'),
  }),
  refusals: ['login.wrong-token', 'login.other-number', 'second-factor.expired', 'second-factor.already'],
  faults: ['auth.missing'],
  knowsMembers: true,
});

export const secondFactorConfirm = defineCall(address.secondFactorConfirm, {
  summary:
    'Activates the second factor with a first code of the app and returns the recovery codes once. Ends the other sessions; during a sign-in the answer contains the token',
  access: 'public',
  request: z.object({ code: secondFactorCode, challenge: challenge.optional() }),
  answer: outcome.extend({
    recovery_codes: z.array(z.string()).describe('Codes for use when the phone is lost; shown once.'),
    token: z
      .string()
      .optional()
      .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
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

export const secondFactorVerify = defineCall(address.secondFactorVerify, {
  summary:
    'Completes a sign-in that requires a second factor: exchanges its challenge and a code for a login token',
  access: 'public',
  request: z.object({ challenge, code: secondFactorCode }),
  answer: outcome.extend({
    token: z
      .string()
      .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
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

export const secondFactorDisable = defineCall(address.secondFactorDisable, {
  summary: 'Removes the second factor of the account, confirmed by a code of it; ends the other sessions',
  request: z.object({ code: secondFactorCode }),
  answer: outcome,
  refusals: ['second-factor.wrong-code', 'second-factor.demanded', 'second-factor.unreadable'],
  faults: ['second-factor.too-many'],
});
