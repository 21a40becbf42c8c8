import { z } from 'zod';
import { defineCall } from '../define-call.ts';
import { FILE_REFUSALS } from './refusals.ts';
import { MAX_PATTERN_BYTES, xrdDataAnswer } from './fields.ts';

export const receivedPattern = xrdDataAnswer.extend({
  /** Name of the file. */
  file_name: z.string(),
  /** How the file was read, in words: skipped lines, averaged angles, decimal comma … */
  warnings: z.array(z.string()),
});
export type ReceivedPattern = z.infer<typeof receivedPattern>;

export const xrdReceive = defineCall({
  name: 'xrdReceive',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_receive/',
  summary: 'Reads an uploaded pattern: .txt .xy .csv .dat with two or three columns, at most 2 MB',
  access: 'user',
  body: {
    fileField: 'xrd-file',
    maxBytes: MAX_PATTERN_BYTES,
    missing: 'xrd.no-file',
    tooLarge: 'xrd.too-large',
  },
  request: z.unknown(),
  answer: receivedPattern,
  refusals: ['xrd.no-file', 'xrd.too-large', ...FILE_REFUSALS],
});
