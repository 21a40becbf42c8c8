import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { MAX_PATTERN_BYTES, xrdDataAnswer } from './fields.ts';
import { examples } from './xrd.examples.ts';

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
  body: { fileField: 'xrd-file', maxBytes: MAX_PATTERN_BYTES },
  request: z.unknown(),
  response: z.union([receivedPattern, outcome]),
  example: examples.xrdReceive,
});
