import { z } from 'zod';
import { outcome } from '../../common.ts';
import { defineCall } from '../../define-call.ts';
import { secondFactorCode } from './fields.ts';

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
