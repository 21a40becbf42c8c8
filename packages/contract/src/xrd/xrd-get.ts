import { z } from 'zod';
import { numeric, outcome, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { PATTERN } from '../refusals.ts';
import { materialXrd } from '../matdata/xrd-handle.ts';
import { radiation } from './fields.ts';

export const referencePattern = outcome.extend({
  ...materialXrd.shape,
  struct_id: z.int(),
  formula: z.string(),
  space_group: z.string(),
  /** The source as it is shown, or the wavelength as text. */
  radiation: z.string(),
  /** Relative change of the cell that was applied. */
  strain: z.number(),
});
export type ReferencePattern = z.infer<typeof referencePattern>;

export const xrdGet = defineCall({
  name: 'xrdGet',
  group: 'xrd',
  method: 'POST',
  path: '/api/xrd/xrd_get/',
  summary: 'The calculated pattern of a result row, to be laid over the measured one',
  access: 'user',
  body: 'json',
  request: z.object({
    struct_id: structId,
    /** nm */
    crystal_size: numeric.default(200),
    radiation: radiation.default('CuKa'),
    /** Strain of the hit, so that the lines lie where the measurement has them. */
    strain: z.number().min(-0.05).max(0.05).default(0),
    /** Last angle wanted, degrees; 90 unless the measurement goes further. */
    two_theta_max: z.number().min(1).max(179).default(90),
  }),
  answer: referencePattern,
  refusals: ['xrd.unknown-source', ...PATTERN],
  faults: ['material.not-found'],
  calculates: true,
});
