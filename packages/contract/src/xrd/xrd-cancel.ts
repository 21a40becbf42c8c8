import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { runningMatch } from './fields.ts';

export const xrdCancel = defineCall({
  name: 'xrdCancel',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_cancel/',
  summary: 'Cancels a match of this account that waits or runs; the match then answers that it was cancelled',
  access: 'user',
  body: 'json',
  request: runningMatch,
  answer: outcome.extend({ cancelled: z.boolean() }),
  refusals: [],
});
