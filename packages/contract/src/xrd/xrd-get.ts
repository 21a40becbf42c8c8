import { z } from 'zod';
import { outcome, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
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
    crystal_size: z.coerce.number().default(200),
    radiation: radiation.default('CuKa'),
    /** Strain of the hit, so that the lines lie where the measurement has them. */
    strain: z.number().min(-0.05).max(0.05).default(0),
    /** Last angle wanted, degrees; 90 unless the measurement goes further. */
    two_theta_max: z.number().min(1).max(179).default(90),
  }),
  response: z.union([referencePattern, outcome]),
  example: {
    request: { struct_id: 22862, crystal_size: 61.2, radiation: 'CuKa', strain: -0.008 },
    response: {
      error: 'false',
      message: '',
      x: [31.66, 31.68, 31.7],
      y: [61.2, 98.4, 100],
      data: [{ name: 'NaCl', x: [31.6927], y: [100], text: ['(2 0 0) ×6, d = 2.8234 Å'] }],
      wavelength: 1.54184,
      crystal_size: 61.2,
      struct_id: 22862,
      formula: 'NaCl',
      space_group: 'Fm-3m',
      radiation: 'CuKα',
      strain: -0.008,
    },
  },
});
