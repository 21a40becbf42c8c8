/** How good the predictions were of what was calculated here afterwards. */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { functional } from '../phase-diagram/energy-scale.ts';
import { predictedInterval } from './predicted-values.ts';

const scored = z.object({
  struct_id: z.int(),
  formula: z.string(),
  /** SHA-256 of the weights, shortened. */
  model: z.string(),
  /** Energy scale of what was calculated; formation energies of another scale than the model's differ by more than its error. */
  functional,
  property: z.enum(['formation_energy_per_atom', 'band_gap']),
  predicted: predictedInterval,
  calculated: z.number(),
  is_within: z.boolean(),
});

export const predictionScore = defineCall({
  name: 'predictionScore',
  group: 'prediction',
  method: 'GET',
  path: '/api/prediction/score/',
  summary:
    'The running score: what was predicted of submitted structures against what was calculated of them',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: outcome.extend({
    /** Newest first, at most 500. */
    rows: z.array(scored),
    /** One for each property and scale. */
    summary: z.array(
      z.object({
        property: scored.shape.property,
        functional,
        compared: z.int(),
        mean_absolute_error: z.number(),
        /** Share of the calculated values inside the 90 % interval. */
        within: z.number(),
      }),
    ),
  }),
  refusals: [],
});
