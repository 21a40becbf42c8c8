import { z } from 'zod';
import { emptyRequest } from '../../common.ts';
import { defineCall } from '../../define-call.ts';

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
    enabled: z.boolean(),
    /** The operator demands it of this account: it cannot be taken off. */
    demanded: z.boolean(),
    recovery_codes_left: z.int(),
  }),
  refusals: [],
});
