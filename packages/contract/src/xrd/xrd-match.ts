import { defineCall } from '../define-call.ts';
import { MATCH_REFUSALS } from './refusals.ts';
import { MAX_PATTERN_BODY_BYTES, matchRequest, matchResult } from './fields.ts';

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
  answer: matchResult,
  refusals: MATCH_REFUSALS,
  faults: ['xrd.queue-full'],
  calculates: true,
});
