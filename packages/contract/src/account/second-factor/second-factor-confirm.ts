import { z } from 'zod';
import { outcome } from '../../common.ts';
import { defineCall } from '../../define-call.ts';
import { challenge, secondFactorCode } from './fields.ts';

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
    recovery_codes: z.array(z.string()),
    token: z.string().optional(),
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
