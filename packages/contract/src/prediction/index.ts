import { z } from 'zod';
import { formula, outcome, structId, defineCall, unit, functional } from '../common.ts';
import * as address from '../calls.ts';
import { MAX_PREDICT_FORMULA, MAX_PREDICT_TEXT } from './rules.ts';

/** A predicted value, and the interval that contains the true value in nine of ten unseen chemical systems. */
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
    'Predicted formation energy from the elements, PBE and PBE+U in the scheme of the Materials Project of 2018. For an element it is not predicted: 0 by definition, with both ends of the interval at 0.',
  ),
  band_gap: predictedInterval('eV', 'Predicted band gap of PBE, which is smaller than a measured one.'),
  insulator_probability: z
    .number()
    .describe(
      'Probability that PBE gives a gap at all, 0 to 1. A value below 0.5 together with a band gap of 0.1 eV or more is contradictory, and the gap is then very uncertain.',
    ),
  bulk_modulus: predictedInterval('GPa', 'Predicted bulk modulus, Voigt-Reuss-Hill mean.'),
  shear_modulus: predictedInterval('GPa', 'Predicted shear modulus, Voigt-Reuss-Hill mean.'),
  familiarity: z
    .enum(['near', 'edge', 'outside'])
    .describe(
      'Position of the crystal relative to the training data: near, at the edge, or outside, where predictions are unreliable.',
    ),
});
export type PredictedValues = z.infer<typeof predictedValues>;

export * from './potential-values.ts';
export * from './rules.ts';

// Properties that the site's networks predict from a crystal or a formula alone, with intervals and the data that the
// values are based on.

/** How the interatomic potential changed a crystal before its prediction. */
export const relaxationChange = z.object({
  potential: z.string().describe('Name and version of the potential.'),
  energy_before: z
    .number()
    .meta(
      unit(
        'eV/atom',
        'Energy by the potential before the relaxation, on the raw PBE and PBE+U scale of the Materials Project without corrections; not comparable with formation energies.',
      ),
    ),
  energy_after: z.number().meta(unit('eV/atom', 'The same after the relaxation.')),
  volume_change: z.number().meta(unit('%', 'Change of the volume of the cell.')),
  steps: z.int().describe('Number of steps.'),
});
export type RelaxationChange = z.infer<typeof relaxationChange>;

const knownCrystal = z.object({
  id: z.string().describe('Materials Project id of the crystal.'),
  formula: z.string().describe('Formula of the known crystal.'),
  struct_id: z.int().nullable().describe('The material of the catalogue; null: not in the catalogue.'),
  distance: z
    .number()
    .describe(
      'Distance from it in the latent space of the network, in standard deviations of its principal components.',
    ),
});

const probability = (meV: number) =>
  z
    .number()
    .describe(`Probability that the true energy lies at most ${meV} meV/atom above the hull, 0 to 1.`);

export const hullProbabilities = {
  probability_within_25_mev: probability(25),
  probability_within_50_mev: probability(50),
};

export const predictedHull = z
  .object({
    functional: functional.describe('Energy scale of the hull.'),
    energy_above_hull: z
      .number()
      .meta(
        unit(
          'eV/atom',
          'Predicted energy above the stable phases of the catalogue, excluding the requested material; negative: below them.',
        ),
      ),
    ...hullProbabilities,
    competing_phases: z
      .array(
        z.object({
          formula: z.string().describe('Formula of the phase.'),
          struct_id: z
            .int()
            .nullable()
            .describe('The material; null for an element known only as the zero of a published scale.'),
          atomic_fraction: z.number().describe('Share of the atoms in this phase, 0 to 1.'),
        }),
      )
      .describe('Equilibrium phases of the composition without it.'),
  })
  .describe(
    'Stability relative to the phases of the catalogue; null if phases for the hull are missing from the catalogue.',
  );

/** The crystal after its relaxation, with the predictions for it. */
const relaxedPrediction = z.object({
  ...relaxationChange.shape,
  ...predictedValues.shape,
  hull: predictedHull.nullable(),
  cif: z.string().describe('The relaxed cell as CIF text in P1.'),
});

export const prediction = outcome.extend({
  formula: z.string().describe('The reduced formula.'),
  struct_id: z
    .int()
    .nullable()
    .describe(
      'The material of the catalogue with the structure of the input; null for a formula, and if no stored structure matches.',
    ),
  nsites: z.int().nullable().describe('Number of atoms in the given cell; null for a formula.'),
  ...predictedValues.shape,
  measured_band_gap: predictedInterval(
    'eV',
    'Measured band gap, which is larger than that of PBE; for formulas only, null for crystals. Also null for formulas of oxides and halides without f elements, for which its intervals are not valid.',
  ).nullable(),
  measured_insulator_probability: z
    .number()
    .nullable()
    .describe('Probability that a gap is measured at all, 0 to 1; null where `measured_band_gap` is null.'),
  nearest: z
    .array(knownCrystal)
    .describe(
      'The five most similar crystals of the training data (of a sample) according to the network, nearest first.',
    ),
  hull: predictedHull.nullable(),
  hull_message: z
    .string()
    .describe('Phases for the hull that are missing from the catalogue; empty when there is a hull.'),
  relaxed: relaxedPrediction
    .nullable()
    .describe(
      'The same after a relaxation by the interatomic potential; null unless `relax` is set, or when it failed.',
    ),
  relaxed_message: z.string().describe('Why the relaxation failed; empty without a failure.'),
  model: z
    .string()
    .describe('First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.'),
});
export type PredictionResult = z.infer<typeof prediction>;

export const predict = defineCall(address.predict, {
  summary: 'Formation energy, gap and moduli of a crystal or a formula, predicted with 90 % intervals',
  request: z.object({
    structure: z
      .string()
      .max(MAX_PREDICT_TEXT)
      .optional()
      .describe(
        'Text of a CIF or POSCAR file. Exactly one of this, `formula` and `struct_id` must be given.',
      ),
    file_name: z.string().max(200).optional().describe('Name of the file, which identifies its format.'),
    formula: z
      .string()
      .max(MAX_PREDICT_FORMULA)
      .optional()
      .describe(
        'A formula without a structure, such as LiFePO4: predicts its lowest crystal, with wider intervals, and the measured gap of compounds that are neither oxides nor halides.',
      ),
    struct_id: structId
      .optional()
      .describe('A material of the catalogue, predicted for the structure as given by its source.'),
    relax: z
      .boolean()
      .optional()
      .describe(
        'Also relaxes atoms and cell with the interatomic potential, keeping the symmetry, and predicts the relaxed crystal; not for a formula.',
      ),
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
    'prediction.nothing-to-relax',
    'prediction.off',
    'prediction.model-missing',
  ],
  faults: ['material.not-found'],
  calculates: true,
  maxBodyBytes: 512 * 1024,
});

// The training data of the model, and its accuracy on unseen chemical systems.

const share = z.number().min(0).max(1);

/** The kind of input: a crystal, or a formula without a structure. */
const kind = z
  .enum(['crystals', 'formulas'])
  .describe('Prediction for crystals, or for formulas without a structure.');

export const MODEL_PROPERTIES = [
  'formation_energy_per_atom',
  'band_gap',
  'measured_band_gap',
  'log10_bulk_modulus',
  'log10_shear_modulus',
] as const;

const figure = z.object({
  of: kind,
  property: z.enum(MODEL_PROPERTIES).describe('The property; for moduli the decimal logarithm in GPa.'),
  rows: z.int().describe('Number of known values.'),
  mean_absolute_error: z.number().describe('Mean absolute error, in eV/atom, eV, or decades of a modulus.'),
  coverage: share.describe('Share of the true values inside the 90 % interval, 0 to 1.'),
});

const compoundClass = z.object({
  compound_class: z
    .enum(['oxide', 'halide', 'chalcogenide', 'intermetallic', 'f-element', 'other'])
    .describe('The first that fits: f element, oxide, halide, chalcogenide, other non-metal, intermetallic.'),
  crystals: z.int().describe('Number of crystals.'),
  systems: z.int().describe('Number of chemical systems of these crystals.'),
  mean_absolute_error: z.number().meta(unit('eV/atom', 'Mean absolute error of the formation energy.')),
  coverage: share.describe('Share of the true values inside the 90 % interval, 0 to 1.'),
  coverage_error: z
    .number()
    .describe('Standard error of the coverage; crystals of one system are correlated.'),
  mean_half_width: z.number().meta(unit('eV/atom', 'Mean half width of the 90 % interval.')),
});

const detection = z.object({
  of: kind,
  margin: z.int().meta(unit('meV/atom', 'Energy above the hull up to which a crystal counts as near it.')),
  prevalence: share.describe('Share of the crystals within the margin, 0 to 1.'),
  precision: share.describe('Share of the crystals predicted to be near that are near, 0 to 1.'),
  recall: share.describe('Share of the near crystals that are predicted to be near, 0 to 1.'),
  f1: share.describe('Harmonic mean of precision and recall, 0 to 1.'),
  f1_of_all_yes: share.describe('F1 score of predicting every crystal as near, 0 to 1.'),
  chances: z
    .array(
      z.object({
        told: share.describe('Mean predicted probability, 0 to 1.'),
        found: share.describe('Observed share, 0 to 1.'),
        rows: z.int().describe('Number of known values.'),
      }),
    )
    .describe('Predicted probability and observed share for each tenth of the probability scale.'),
});

export const modelCard = defineCall(address.modelCard, {
  summary: 'The model: its training data, and its accuracy on unseen chemical systems',
  answer: outcome.extend({
    model: z.string().describe('First 12 hexadecimal digits of the SHA-256 of the weights.'),
    is_shipped: z
      .boolean()
      .describe(
        'Whether it is the model that ships with the program; otherwise the operator of the site trained it.',
      ),
    members: z.int().describe('Number of networks whose mean is the prediction.'),
    taught_crystals: z.int().describe('Number of crystals in the training data.'),
    taught_formulas: z
      .int()
      .describe('Number of compositions in the training data of the network for formulas.'),
    calibration_crystals: z
      .int()
      .describe('Crystals of other chemical systems, which set the widths of the intervals.'),
    test_crystals: z
      .int()
      .describe(
        'Crystals of chemical systems used in neither training nor calibration, on which the figures are based.',
      ),
    figures: z.array(figure).describe('Errors and coverage of each predicted property.'),
    classes: z.array(compoundClass).describe('Formation energies by class of compound.'),
    detection: z.array(detection).describe('How well crystals near the hull are distinguished from others.'),
  }),
  refusals: ['prediction.off', 'prediction.model-missing'],
});

// Accuracy of earlier predictions, compared with later calculations of this site.

const scored = z.object({
  struct_id: z.int().describe('The calculated material.'),
  formula,
  model: z
    .string()
    .describe('First 12 hexadecimal digits of the SHA-256 of the weights: a value belongs to its model.'),
  functional: functional.describe(
    'Energy scale of the calculation; formation energies on another scale than the model’s differ by more than its error.',
  ),
  property: z.enum(['formation_energy_per_atom', 'band_gap']).describe('The property.'),
  predicted: predictedInterval(null, 'The prediction before the calculation, with its 90 % interval.'),
  calculated: z.number().describe('The calculated value, in the unit of the property.'),
  is_within: z.boolean().describe('Whether the calculated value lies inside the interval.'),
});

export const predictionScore = defineCall(address.predictionScore, {
  summary: 'The running score: predictions for submitted structures against later calculations',
  answer: outcome.extend({
    rows: z.array(scored).describe('Newest first, at most 500.'),
    summary: z
      .array(
        z.object({
          property: scored.shape.property.describe('The property.'),
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
});
