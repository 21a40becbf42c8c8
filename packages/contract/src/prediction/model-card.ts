/** What the model that predicts was taught, and how good it was on chemical systems it never saw. */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';

const share = z.number().min(0).max(1);

/** Of what something is told: a crystal, or a formula without a structure. */
const kind = z.enum(['crystals', 'formulas']);

export const MODEL_PROPERTIES = [
  'formation_energy_per_atom',
  'band_gap',
  'measured_band_gap',
  'log10_bulk_modulus',
  'log10_shear_modulus',
] as const;

const figure = z.object({
  of: kind,
  property: z.enum(MODEL_PROPERTIES),
  rows: z.int(),
  mean_absolute_error: z.number(),
  /** Share of the true values inside the 90 % interval. */
  coverage: share,
});

const compoundClass = z.object({
  compound_class: z.enum(['oxide', 'halide', 'chalcogenide', 'intermetallic', 'f-element', 'other']),
  crystals: z.int(),
  systems: z.int(),
  /** Of the formation energy, eV/atom. */
  mean_absolute_error: z.number(),
  coverage: share,
  /** Standard error; crystals of one system err together. */
  coverage_error: z.number(),
  mean_half_width: z.number(),
});

const detection = z.object({
  of: kind,
  /** meV/atom above the hull. */
  margin: z.int(),
  prevalence: share,
  precision: share,
  recall: share,
  f1: share,
  /** Of saying yes to all. */
  f1_of_all_yes: share,
  /** For each tenth of the scale the mean chance told and the share that came true. */
  chances: z.array(z.object({ told: share, found: share, rows: z.int() })),
});

export const modelCard = defineCall({
  name: 'modelCard',
  group: 'prediction',
  method: 'GET',
  path: '/api/prediction/model/',
  summary: 'The model that predicts: what it was taught, and its figures on chemical systems it never saw',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: outcome.extend({
    /** SHA-256 of the weights, shortened. */
    model: z.string(),
    /** The model of the program; otherwise one that the operator of the site trained. */
    is_shipped: z.boolean(),
    members: z.int(),
    /** Crystals and formulas it was taught, and crystals that set its intervals and that judge it. */
    taught_crystals: z.int(),
    taught_formulas: z.int(),
    calibration_crystals: z.int(),
    test_crystals: z.int(),
    figures: z.array(figure),
    classes: z.array(compoundClass),
    detection: z.array(detection),
  }),
  refusals: ['prediction.off', 'prediction.model-missing'],
});
