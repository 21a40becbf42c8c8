import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { MAX_PATTERN_BODY_BYTES, matchRequest, matchResult } from './fields.ts';
import { examples } from './xrd.examples.ts';

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
  example: examples.xrdMatch,
});
