import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { runningMatch } from './fields.ts';

/** `unknown`: over, cancelled, or never heard of. */
export const matchState = z.enum(['waiting', 'indexing', 'running', 'unknown']);

export const matchProgress = outcome.extend({
  state: matchState,
  /** Matches before this one while it waits, else 0. */
  position: z.int(),
  /** Of the state `running` and `indexing`, 0 to 1. */
  progress: z.number(),
});
export type MatchProgress = z.infer<typeof matchProgress>;

export const xrdProgress = defineCall({
  name: 'xrdProgress',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_progress/',
  summary: 'How far a match of this account is; `message` says it in words',
  access: 'user',
  body: 'json',
  request: runningMatch,
  answer: matchProgress,
  refusals: [],
});
