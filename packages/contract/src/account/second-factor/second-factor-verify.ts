import { z } from 'zod';
import { outcome } from '../../common.ts';
import { defineCall } from '../../define-call.ts';
import { challenge, secondFactorCode } from './fields.ts';

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
  answer: outcome.extend({ token: z.string() }),
  refusals: [
    'second-factor.wrong-code',
    'second-factor.expired',
    'second-factor.unreadable',
    'account.blocked',
  ],
  faults: ['second-factor.too-many'],
  knowsMembers: true,
});
