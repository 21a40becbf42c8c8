/** Properties of a crystal, or of a formula alone, predicted by the site's networks, with intervals and what they stand on. */
import { z } from 'zod';
import { outcome, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { functional } from '../phase-diagram/energy-scale.ts';
import { predictedInterval, predictedValues } from './predicted-values.ts';

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
