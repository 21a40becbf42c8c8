/** The calls of prediction. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { emptyRequest, outcome, structId } from '../common.ts';
import { functional } from '../phase-diagram/fields.ts';
import { predictedInterval, predictedValues } from './predicted-values.ts';

export * from './predicted-values.ts';

// Properties of a crystal, or of a formula alone, predicted by the site's networks, with intervals and what they stand on.

/** Characters of a structure file; cells of 100 atoms are a tenth of it. */
export const MAX_PREDICT_TEXT = 200_000;
/** Characters of a formula. */
export const MAX_PREDICT_FORMULA = 200;

const knownCrystal = z.object({
  /** Materials Project id of a crystal that the network was taught. */
  id: z.string(),
  formula: z.string(),
  /** The material of the catalogue that it is; null: the catalogue does not have it. */
  struct_id: z.int().nullable(),
  /** In the network's own space, in standard deviations of its principal components. */
  distance: z.number(),
});

export const predictedHull = z.object({
  functional,
  /** eV/atom over the stable phases of the catalogue (the material asked for left out); negative: below them. */
  energy_above_hull: z.number(),
  /** That the true energy lies at most 25 and 50 meV/atom above the hull, 0 to 1. */
  probability_within_25_mev: z.number(),
  probability_within_50_mev: z.number(),
  /** What the composition is made of in equilibrium without it. */
  competing_phases: z.array(
    z.object({ formula: z.string(), struct_id: z.int().nullable(), atomic_fraction: z.number() }),
  ),
});

export const prediction = outcome.extend({
  formula: z.string(),
  /** null: predicted from the formula alone, of the lowest crystal that the composition has. */
  nsites: z.int().nullable(),
  ...predictedValues.shape,
  /** eV, as measured: larger than PBE's. Of formulas; null for crystals. */
  measured_band_gap: predictedInterval.nullable(),
  /** That a gap is measured at all, 0 to 1. Of formulas; null for crystals. */
  measured_insulator_probability: z.number().nullable(),
  /** The five crystals of the training (of a sample) that the network holds most alike. */
  nearest: z.array(knownCrystal),
  /** null where the catalogue lacks what a hull needs; `hull_message` says what. */
  hull: predictedHull.nullable(),
  hull_message: z.string(),
  /** SHA-256 of the weights, shortened: a value belongs to its model. */
  model: z.string(),
});
export type PredictionResult = z.infer<typeof prediction>;

export const predict = defineCall({
  name: 'predict',
  group: 'prediction',
  method: 'POST',
  path: '/api/prediction/predict/',
  summary: 'Formation energy, gap and moduli of a crystal or a formula, predicted with 90 % intervals',
  access: 'user',
  body: 'json',
  request: z.object({
    /** A CIF or POSCAR. Exactly one of this, `formula` and `struct_id` is given. */
    structure: z.string().max(MAX_PREDICT_TEXT).optional(),
    /** Name of the file, from which its format is known. */
    file_name: z.string().max(200).optional(),
    /** A formula without a structure: wider intervals, and the measured gap as well. */
    formula: z.string().max(MAX_PREDICT_FORMULA).optional(),
    /** A material of the catalogue, predicted as its structure was given. */
    struct_id: structId.optional(),
  }),
  answer: prediction,
  refusals: [
    'prediction.nothing-given',
    'prediction.several-given',
    'prediction.unreadable',
    'prediction.bad-formula',
    'prediction.disordered',
    'prediction.unknown-element',
    'prediction.too-large',
    'prediction.overlapping-atoms',
    'prediction.off',
    'prediction.model-missing',
  ],
  faults: ['material.not-found'],
  calculates: true,
  maxBodyBytes: 512 * 1024,
});

// What the model that predicts was taught, and how good it was on chemical systems it never saw.

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

// How good the predictions were of what was calculated here afterwards.

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

export const predictionCalls: readonly Call[] = [predict, modelCard, predictionScore];
