import { z } from 'zod';
import { defineCall } from '../define-call.ts';
import { DATA_REFUSALS } from './refusals.ts';
import { MAX_PATTERN_BODY_BYTES, xrdData, xrdDataAnswer } from './fields.ts';

export const withoutBackground = xrdDataAnswer.extend({
  /** The background that was taken away, at the same angles and on the same scale as what was sent. */
  background: z.array(z.number()),
});
export type WithoutBackground = z.infer<typeof withoutBackground>;

export const xrdRemoveBg = defineCall({
  name: 'xrdRemoveBg',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_remove_bg/',
  summary: 'The pattern without its background (SNIP), normalised too when the flag says so',
  access: 'user',
  body: 'json',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: z.object({
    xrd_data: xrdData,
    /** True: the answer has its strongest point at 100. */
    isNormalize: z
      .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
      .default(false),
  }),
  answer: withoutBackground,
  refusals: [...DATA_REFUSALS, 'xrd.no-peaks-left'],
  calculates: true,
});
