import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { structureJson } from '../material/result-schemas.ts';
import { predictedHull } from '../prediction/predict.ts';
import { predictedValues } from '../prediction/predicted-values.ts';
import { STRUCTURE_REFUSALS } from './refusals.ts';

/** What is to be expected of a calculation before it is asked for. */
export const run4uExpect = defineCall({
  name: 'run4uExpect',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/run4u_expect/',
  summary:
    'What a structure is predicted to be, and how long its calculation may take, before it is submitted',
  access: 'user',
  body: 'json',
  request: z.object({ structure: structureJson }),
  answer: outcome.extend({
    /** null where nothing is predicted; `prediction_message` says why. */
    prediction: z
      .object({ model: z.string(), ...predictedValues.shape, hull: predictedHull.nullable() })
      .nullable(),
    prediction_message: z.string(),
    /** Until it would be finished, waiting included; null when no worker can run it now. */
    seconds: z.number().nullable(),
  }),
  refusals: [...STRUCTURE_REFUSALS],
  calculates: true,
  maxBodyBytes: 512 * 1024,
});
