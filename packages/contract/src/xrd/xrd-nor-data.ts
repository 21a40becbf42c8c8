import { z } from 'zod';
import { defineCall } from '../define-call.ts';
import { DATA_REFUSALS } from './refusals.ts';
import { MAX_PATTERN_BODY_BYTES, xrdData, xrdDataAnswer } from './fields.ts';

export const xrdNorData = defineCall({
  name: 'xrdNorData',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_nor_data/',
  summary: 'The pattern with its strongest point at 100',
  access: 'user',
  body: 'json',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: z.object({ xrd_data: xrdData }),
  answer: xrdDataAnswer,
  refusals: [...DATA_REFUSALS, 'xrd.no-peaks-left'],
});
