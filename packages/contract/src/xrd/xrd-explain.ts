import { z } from 'zod';
import { defineCall } from '../define-call.ts';
import { MATCH_REFUSALS } from './refusals.ts';
import { explainedPhase, MAX_PATTERN_BODY_BYTES, matchRequest, matchResult, xrdData } from './fields.ts';

export const MAX_EXPLAINED_PHASES = 8;

export const restResult = matchResult.extend({
  /** What is left of the pattern without its background and the phases: what was matched. */
  rest: xrdData,
  /** Share of the measured intensity that lines of the phases explain together, 0 to 1; as `explained_share` of a hit. */
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
  answer: restResult,
  refusals: [...MATCH_REFUSALS, 'xrd.no-pattern'],
  faults: ['material.not-found', 'xrd.queue-full'],
  calculates: true,
});
