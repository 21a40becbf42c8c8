/** The calls of prediction. */
import { z } from 'zod';
import { emptyRequest, formula, outcome, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { functional } from '../phase-diagram/fields.ts';
import { MAX_PREDICT_FORMULA } from './rules.ts';

// What the network says of a crystal, wherever it is shown.

/** A predicted value and the interval that holds the true one in nine of ten unseen chemical systems. */
export const predictedInterval = (symbol: string | null, meaning: string) =>
  z
    .object({
      value: z.number().meta(unit(symbol, 'The predicted value.')),
      low: z.number().meta(unit(symbol, 'Lower end of the 90 % interval.')),
      high: z.number().meta(unit(symbol, 'Upper end of the 90 % interval.')),
    })
    .meta(unit(symbol, meaning));
export type PredictedInterval = z.infer<ReturnType<typeof predictedInterval>>;

export const predictedValues = z.object({
  formation_energy_per_atom: predictedInterval(
    'eV/atom',
    'Predicted formation energy from the elements, PBE and PBE+U in the scheme of the Materials Project of 2018. Of an element it is not predicted: 0 by definition, with both ends of the interval at 0.',
  ),
  band_gap: predictedInterval('eV', 'Predicted band gap of PBE, which is smaller than a measured one.'),
  insulator_probability: z
    .number()
    .describe(
      'Probability that PBE gives a gap at all, 0 to 1. Below 0.5 beside a band gap of 0.1 eV or more the network contradicts itself, and the gap is hardly known.',
    ),
  bulk_modulus: predictedInterval('GPa', 'Predicted bulk modulus, Voigt-Reuss-Hill mean.'),
  shear_modulus: predictedInterval('GPa', 'Predicted shear modulus, Voigt-Reuss-Hill mean.'),
  familiarity: z
    .enum(['near', 'edge', 'outside'])
    .describe(
      'Where the crystal lies among those of the training: near them, at their edge, or outside, where values are not to be trusted.',
    ),
});
export type PredictedValues = z.infer<typeof predictedValues>;

export * from './rules.ts';

// Properties of a crystal, or of a formula alone, predicted by the site's networks, with intervals and what they stand on.

/** Characters of a structure file; cells of 100 atoms are a tenth of it. */
export const MAX_PREDICT_TEXT = 200_000;

const knownCrystal = z.object({
  id: z.string().describe('Materials Project id of the crystal.'),
  formula: z.string().describe('Its formula.'),
  struct_id: z
    .int()
    .nullable()
    .describe('The material of the catalogue that it is; null: the catalogue does not have it.'),
  distance: z
    .number()
    .describe(
      'Distance from it in the space of the network, in standard deviations of its principal components.',
    ),
});

export const predictedHull = z
  .object({
    functional: functional.describe('Energy scale of the hull.'),
    energy_above_hull: z
      .number()
      .meta(
        unit(
          'eV/atom',
          'Predicted energy above the stable phases of the catalogue, the material asked for left out; negative: below them.',
        ),
      ),
    probability_within_25_mev: z
      .number()
      .describe('Probability that the true energy lies at most 25 meV/atom above the hull, 0 to 1.'),
    probability_within_50_mev: z
      .number()
      .describe('Probability that the true energy lies at most 50 meV/atom above the hull, 0 to 1.'),
    competing_phases: z
      .array(
        z.object({
          formula: z.string().describe('Formula of the phase.'),
          struct_id: z
            .int()
            .nullable()
            .describe('The material; null for an element known only as the zero of a published scale.'),
          atomic_fraction: z.number().describe('Share of the atoms that is in this phase, 0 to 1.'),
        }),
      )
      .describe('What the composition is made of in equilibrium without it.'),
  })
  .describe(
    'How it stands against the stable phases of the catalogue; null where the catalogue lacks what a hull needs.',
  );

export const prediction = outcome.extend({
  formula: z.string().describe('The reduced formula.'),
  nsites: z.int().nullable().describe('Number of atoms in the cell as it was given; null for a formula.'),
  ...predictedValues.shape,
  measured_band_gap: predictedInterval(
    'eV',
    'Band gap as measured, which is larger than that of PBE; of formulas alone, null for crystals. Null too for formulas of oxides and halides without f elements, where its intervals do not hold.',
  ).nullable(),
  measured_insulator_probability: z
    .number()
    .nullable()
    .describe('Probability that a gap is measured at all, 0 to 1; of formulas alone, null for crystals.'),
  nearest: z
    .array(knownCrystal)
    .describe(
      'The five crystals of the training (of a sample) that the network holds most alike, nearest first.',
    ),
  hull: predictedHull.nullable(),
  hull_message: z.string().describe('What the catalogue lacks for a hull; empty when there is one.'),
  model: z
    .string()
    .describe('First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.'),
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
    structure: z
      .string()
      .max(MAX_PREDICT_TEXT)
      .optional()
      .describe('Text of a CIF or POSCAR file. Exactly one of this, `formula` and `struct_id` is given.'),
    file_name: z.string().max(200).optional().describe('Name of the file, from which its format is known.'),
    formula: z
      .string()
      .max(MAX_PREDICT_FORMULA)
      .optional()
      .describe(
        'A formula without a structure, such as LiFePO4: what is predicted is its lowest crystal, with wider intervals, and the measured gap of compounds that are neither oxides nor halides.',
      ),
    struct_id: structId
      .optional()
      .describe('A material of the catalogue, predicted as its structure was given.'),
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
const kind = z
  .enum(['crystals', 'formulas'])
  .describe('Told of crystals, or of formulas without a structure.');

export const MODEL_PROPERTIES = [
  'formation_energy_per_atom',
  'band_gap',
  'measured_band_gap',
  'log10_bulk_modulus',
  'log10_shear_modulus',
] as const;

const figure = z.object({
  of: kind,
  property: z.enum(MODEL_PROPERTIES).describe('Which property; of moduli the decimal logarithm in GPa.'),
  rows: z.int().describe('Number of values that were known.'),
  mean_absolute_error: z.number().describe('Mean absolute error, in eV/atom, eV, or decades of a modulus.'),
  coverage: share.describe('Share of the true values inside the 90 % interval, 0 to 1.'),
});

const compoundClass = z.object({
  compound_class: z
    .enum(['oxide', 'halide', 'chalcogenide', 'intermetallic', 'f-element', 'other'])
    .describe('The first that fits: f element, oxide, halide, chalcogenide, other non-metal, intermetallic.'),
  crystals: z.int().describe('Number of crystals.'),
  systems: z.int().describe('Number of chemical systems they are of.'),
  mean_absolute_error: z.number().meta(unit('eV/atom', 'Mean absolute error of the formation energy.')),
  coverage: share.describe('Share of the true values inside the 90 % interval, 0 to 1.'),
  coverage_error: z.number().describe('Standard error of the coverage; crystals of one system err together.'),
  mean_half_width: z.number().meta(unit('eV/atom', 'Mean half width of the 90 % interval.')),
});

const detection = z.object({
  of: kind,
  margin: z.int().meta(unit('meV/atom', 'Height over the hull up to which a crystal counts as near it.')),
  prevalence: share.describe('Share of the crystals that lie within the margin, 0 to 1.'),
  precision: share.describe('Share of those told to be near that are, 0 to 1.'),
  recall: share.describe('Share of those near that are told to be, 0 to 1.'),
  f1: share.describe('Harmonic mean of precision and recall, 0 to 1.'),
  f1_of_all_yes: share.describe('The same of saying yes to every crystal, 0 to 1.'),
  chances: z
    .array(
      z.object({
        told: share.describe('Mean chance that was told, 0 to 1.'),
        found: share.describe('Share that came true, 0 to 1.'),
        rows: z.int().describe('Number of values that were known.'),
      }),
    )
    .describe('For each tenth of the scale of chances what was told and what came true.'),
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
    model: z
      .string()
      .describe('First 12 hexadecimal digits of the SHA-256 of the weights of the model that predicts.'),
    is_shipped: z
      .boolean()
      .describe('It is the model of the program; otherwise one that the operator of the site trained.'),
    members: z.int().describe('Networks whose mean is told.'),
    taught_crystals: z.int().describe('Crystals it was taught.'),
    taught_formulas: z.int().describe('Compositions the network for formulas was taught.'),
    calibration_crystals: z
      .int()
      .describe('Crystals of other chemical systems, which set the widths of the intervals.'),
    test_crystals: z
      .int()
      .describe(
        'Crystals of chemical systems that took part in neither training nor calibration: the figures are of them.',
      ),
    figures: z.array(figure).describe('Errors and coverage of each predicted property.'),
    classes: z.array(compoundClass).describe('Formation energies by class of compound.'),
    detection: z.array(detection).describe('How well crystals near the hull are told from others.'),
  }),
  refusals: ['prediction.off', 'prediction.model-missing'],
});

// How good the predictions were of what was calculated here afterwards.

const scored = z.object({
  struct_id: z.int().describe('The material that was calculated.'),
  formula,
  model: z
    .string()
    .describe('First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.'),
  functional: functional.describe(
    "Energy scale of what was calculated; formation energies of another scale than the model's differ by more than its error.",
  ),
  property: z.enum(['formation_energy_per_atom', 'band_gap']).describe('Which property.'),
  predicted: predictedInterval(null, 'What was predicted before the calculation, with its 90 % interval.'),
  calculated: z.number().describe('What was calculated, in the unit of the property.'),
  is_within: z.boolean().describe('Whether the calculated value lies inside the interval.'),
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
    rows: z.array(scored).describe('Newest first, at most 500.'),
    summary: z
      .array(
        z.object({
          property: scored.shape.property.describe('Which property.'),
          functional: functional.describe('The energy scale.'),
          compared: z.int().describe('Number of calculations.'),
          mean_absolute_error: z
            .number()
            .describe('Mean of the absolute differences, in the unit of the property.'),
          within: z.number().describe('Share of the calculated values inside the 90 % interval, 0 to 1.'),
        }),
      )
      .describe('The score of each property on each energy scale.'),
  }),
  refusals: [],
});
