import { z } from 'zod';
import { outcome } from '../../common.ts';
import { defineCall } from '../../define-call.ts';
import { smsToken } from '../fields.ts';
import { challenge } from './fields.ts';

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
    /** Base32, for typing. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    uri: z.string(),
  }),
  refusals: ['login.wrong-token', 'login.other-number', 'second-factor.expired', 'second-factor.already'],
  faults: ['auth.missing'],
  knowsMembers: true,
});
