/** Which materials a pattern is: the match, the match of what a first one left, following and cancelling. */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { exampleData, exampleMatch } from './example.ts';
import { explainedPhase, MAX_PATTERN_BODY_BYTES, matchRequest, matchResult, xrdData } from './fields.ts';

const EXAMPLE_ID = '8f14e45f-ceea-467f';

/** The answer comes when the match is done; closing the connection cancels it. */
export const xrdMatch = defineCall({
  name: 'xrdMatch',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_match/',
  summary: 'The materials of the whole database whose powder patterns are nearest to the measured one',
  access: 'user',
  body: 'json',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: matchRequest,
  response: z.union([matchResult, outcome]),
  example: {
    request: {
      xrd_data: exampleData,
      elements: 'only: Na Cl',
      radiation: 'CuKa',
      match_way: 'DTW',
      match_id: EXAMPLE_ID,
    },
    response: exampleMatch,
  },
});

export const MAX_EXPLAINED_PHASES = 8;

export const restResult = matchResult.extend({
  /** What is left of the pattern without its background and the phases: what was matched. */
  rest: xrdData,
  /** Share of the measured peak area that the phases took away, 0 to 1. */
  explained_share: z.number(),
});
export type RestResult = z.infer<typeof restResult>;

/** Waits, follows and cancels like `xrd_match`. */
export const xrdExplain = defineCall({
  name: 'xrdExplain',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_explain/',
  summary: 'Takes phases found before away from the pattern and matches the rest',
  access: 'user',
  body: 'json',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: matchRequest.extend({ phases: z.array(explainedPhase).min(1).max(MAX_EXPLAINED_PHASES) }),
  response: z.union([restResult, outcome]),
  example: {
    request: {
      xrd_data: exampleData,
      radiation: 'CuKa',
      match_way: 'DTW',
      phases: [{ struct_id: 22862, strain: -0.008 }],
    },
    response: {
      ...exampleMatch,
      results: [],
      hits: [],
      peaks: [],
      confidence: 'none',
      statement: 'Nothing is left to match: the phases explain 100 % of the measured peaks.',
      rest: { ...exampleData, y: exampleData.x.map(() => 0) },
      explained_share: 1,
    },
  },
});

const matchId = z.object({ match_id: matchRequest.shape.match_id.unwrap() });

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
  request: matchId,
  response: matchProgress,
  example: {
    request: { match_id: EXAMPLE_ID },
    response: {
      error: 'false',
      message: '62 % of the materials are compared.',
      state: 'running',
      position: 0,
      progress: 0.62,
    },
  },
});

export const xrdCancel = defineCall({
  name: 'xrdCancel',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_cancel/',
  summary: 'Cancels a match of this account that waits or runs; the match then answers that it was cancelled',
  access: 'user',
  body: 'json',
  request: matchId,
  response: outcome.extend({ cancelled: z.boolean() }),
  example: {
    request: { match_id: EXAMPLE_ID },
    response: { error: 'false', message: 'The match was cancelled.', cancelled: true },
  },
});
