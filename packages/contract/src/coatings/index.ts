/** Coatings and electrolytes between two phases, and matrices of interface reactions. */
import { z } from 'zod';
import {
  formula,
  materialId,
  outcome,
  PHASES,
  spaceGroup,
  defineCall,
  unit,
  energyScale,
  functional,
  listCompleteness,
} from '../common.ts';
import * as address from '../calls.ts';
import { predictedInterval } from '../prediction/index.ts';
import { PREDICTED_SCALE } from '../prediction/rules.ts';
import { COATING_FILTERS, COATING_LIMITS } from './rules.ts';

export * from './rules.ts';

const partner = z
  .union([z.string().max(COATING_LIMITS.text), z.number()])
  .describe(
    'A formula, a struct_id, or the text of a CIF or POSCAR. A crystal that the catalogue has is that material; another one is placed by its predicted formation energy.',
  );

const ownEnergy = predictedInterval(
  'eV/atom',
  `Formation energy of a compound of your own, whose formula is then given, as \`predict\` answers it for a crystal. Only on the scale ${PREDICTED_SCALE}; an energy without an error has three equal values.`,
).optional();

const energyAboveHull = z
  .number()
  .nullable()
  .meta(unit('eV/atom', 'Energy above the hull; null if unknown.'));

/** One of the two phases as the site read it. Reactions use the equilibrium at its composition. */
const phase = z.object({
  formula,
  struct_id: z
    .int()
    .nullable()
    .describe('The material of this database; null for a composition without one.'),
  energy_above_hull: z
    .number()
    .nullable()
    .meta(
      unit(
        'eV/atom',
        'Energy of the material above the equilibrium at its composition; null if it has no energy on the scale. Negative for a predicted compound below it.',
      ),
    ),
  predicted: z
    .object({
      formation_energy: predictedInterval('eV/atom', 'Predicted formation energy.'),
      energy_above_hull: predictedInterval(
        'eV/atom',
        'Predicted energy above the equilibrium of the phases of the catalogue; negative: below them.',
      ),
    })
    .optional()
    .describe(
      'A compound of your own: neither measured nor calculated. If it lies below the phases of the catalogue, it is one of the phases of the reactions.',
    ),
  matched: z
    .boolean()
    .optional()
    .describe(
      'True if a crystal was given and the catalogue has it, found by comparing structures: its entry is used, not a prediction.',
    ),
  not_placed: z
    .string()
    .optional()
    .describe('Why a crystal was not placed by prediction, so that only its composition counts.'),
});
export type CoatingPhase = z.infer<typeof phase>;

const reaction = z.object({
  energy: z
    .number()
    .meta(
      unit(
        'eV/atom',
        'Lowest mutual reaction energy over all mixing ratios: 0 without a reaction, otherwise negative. At an open interface per atom other than the open ion.',
      ),
    ),
  atomic_fraction: z
    .number()
    .describe('Share of atoms from the first of the two materials in the mixture with that energy.'),
  equation: z.string().describe('The reaction of that mixture; empty without a reaction.'),
  interval: z
    .object({
      low: z.number().meta(unit('eV/atom', 'The strongest reaction within the intervals.')),
      high: z.number().meta(unit('eV/atom', 'The weakest one.')),
    })
    .optional()
    .describe(
      'With a predicted partner: the reaction energies at both ends of the 90 % interval of its formation energy.',
    ),
  missing: z
    .int()
    .nullable()
    .describe(
      'Number of compounds that are stable in the system of both but missing from the catalogue, so that the energy may change either way; null if the site has no list of the stable ones.',
    ),
});
export type CoatingReaction = z.infer<typeof reaction>;

const probability = z
  .number()
  .nullable()
  .describe(
    'Probability that the true reaction energy is within the limit, from the mean deviation of the energy scale from measured enthalpies with independent errors of the phases, and from the error of a predicted partner; null without measurements.',
  );

const conductivity = z.object({
  value: z.number().meta(unit('S/cm', 'Measured ionic conductivity near room temperature.')),
  is_limit: z.boolean().describe('The measured conductivity is lower than the value.'),
  space_group_number: z.int().describe('Space group of the measured form.'),
  doi: z.string().describe('DOIs of the measurement, separated by |.'),
});

const coating = z.object({
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  observed: z.string().nullable().describe('`observed` or `computed only`; null if unknown.'),
  energy_above_hull: energyAboveHull,
  band_gap: z.number().nullable().meta(unit('eV', 'Band gap; null if unknown.')),
  reduction_onset: z.number().meta(unit('V', 'Lower limit of the window against the working ion.')),
  oxidation_onset: z.number().nullable().meta(unit('V', 'Upper limit of the window; null: none.')),
  price: z
    .number()
    .nullable()
    .meta(unit('USD/kg', 'Price of the elements in the material; null if the price of one is unknown.')),
  price_unknown: z.array(z.string()).describe('Elements without a known price.'),
  conductivity: z
    .array(conductivity)
    .describe('Measured lithium conductivities of compounds of this formula.'),
  literature: z
    .array(
      z.object({
        text: z.string().describe('What the source reports about the compound as a coating.'),
        reference: z.string().describe('Authors, journal and year.'),
        doi: z.string().nullable().describe('DOI; null if unknown.'),
      }),
    )
    .describe('Facts from a short list of publications; an empty list does not mean that none exist.'),
  other_forms: z.int().describe('Number of further materials of the same formula that pass the filters.'),
  with_a: reaction.extend({ probability }).describe('Reaction with A; the coating is the first of the two.'),
  with_b: reaction.extend({ probability }).describe('Reaction with B.'),
  worst: z.number().meta(unit('eV/atom', 'The lower of the two reaction energies.')),
  worst_side: z.enum(['a', 'b']).describe('Which of the two reactions decides.'),
  probability,
});
export type Coating = z.infer<typeof coating>;

const voltage = z.number().min(COATING_LIMITS.voltage.min).max(COATING_LIMITS.voltage.max);

export const searchCoatings = defineCall(address.searchCoatings, {
  summary: 'Coatings and electrolytes between two phases, ranked by the stronger of their two reactions',
  maxBodyBytes: 3 * COATING_LIMITS.text,
  request: z.object({
    a: partner,
    b: partner,
    a_energy: ownEnergy,
    b_energy: ownEnergy,
    working_ion: z.string().max(20).optional().describe('Ion of window and voltage; Li by default.'),
    window_min: voltage
      .optional()
      .meta(unit('V', 'The window reaches down to this voltage against the working ion, or lower.')),
    window_max: voltage.optional().meta(unit('V', 'The window reaches up to this voltage, or higher.')),
    min_band_gap: z.number().min(0).max(20).optional().meta(unit('eV', 'Smallest band gap.')),
    max_energy_above_hull: z
      .number()
      .min(0)
      .max(5)
      .optional()
      .meta(unit('eV/atom', 'Largest energy above the hull.')),
    exclude_elements: z.string().max(1000).optional().describe('Elements not allowed: `Co-Ni`.'),
    include_elements: z.string().max(1000).optional().describe('Elements required: `Li-O`.'),
    observed_only: z.boolean().optional().describe('Only materials that were observed in experiment.'),
    max_elements: z
      .int()
      .min(1)
      .max(COATING_LIMITS.elements)
      .optional()
      .describe('Largest number of elements; 6 by default.'),
    max_price: z
      .number()
      .positive()
      .optional()
      .meta(unit('USD/kg', 'Largest price of the elements; materials of unknown price are left out.')),
    potential: voltage
      .optional()
      .meta(
        unit('V', 'Opens the interfaces to the working ion at this potential; closed interfaces without it.'),
      ),
    reaction_limit: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .meta(unit('eV/atom', 'Reactions that release less count as none in the probability; default 0.05.')),
    limit: z.int().min(1).max(COATING_LIMITS.rows).optional().describe('Number of rows; 50 by default.'),
    functional,
  }),
  answer: outcome.extend({
    a: phase,
    b: phase,
    direct: reaction.describe('The reaction of A with B without a coating.'),
    results: z.array(coating).describe('The best coatings, one row per formula.'),
    counts: z
      .object({
        materials: z.int().describe('Materials that pass the filters.'),
        formulas: z.int().describe('Their formulas, without A and B.'),
        price: z.int().describe('Formulas left out by the price, because it is higher or unknown.'),
        calculated: z.int().describe('Formulas with calculated reactions.'),
        left: z.int().describe('Formulas with narrower windows that were not calculated.'),
      })
      .describe('Numbers at each step of the search.'),
    without: z
      .array(
        z.object({
          filter: z.enum(COATING_FILTERS).describe('Name of the filter.'),
          materials: z.int().describe('Materials that would pass the others.'),
        }),
      )
      .describe('If nothing passes: what would pass without one of the filters, the largest number first.'),
    reaction_limit: z.number().meta(unit('eV/atom', 'The limit used in the probabilities.')),
    working_ion: z.string().describe('Symbol of the working ion.'),
    potential: z.number().nullable().meta(unit('V', 'Potential of the open ion; null: closed interfaces.')),
    completeness: listCompleteness,
    ...energyScale.shape,
  }),
  refusals: [
    'coatings.no-partner',
    'coatings.bad-structure',
    'coatings.same',
    'coatings.bad-window',
    'coatings.bad-energy',
    'interface.bad-reactant',
    'interface.no-material',
    'ecwindow.unknown-ion',
    'search.unknown-elements',
    ...PHASES,
  ],
  calculates: true,
});
export type CoatingSearch = z.infer<typeof searchCoatings.answer>;

const matrixCell = reaction.extend({
  row: z.int().describe('Index of the first material.'),
  column: z.int().describe('Index of the second material.'),
});

export const coatingMatrix = defineCall(address.coatingMatrix, {
  summary: 'Reaction energies between all pairs of up to 40 materials, or between one and up to 200',
  request: z.object({
    materials: z
      .array(z.union([z.string().max(200), z.number()]))
      .max(1000)
      .describe('Formulas or struct_ids.'),
    against: z
      .union([z.string().max(200), z.number()])
      .optional()
      .describe('One material to react with each of them; without it all pairs are calculated.'),
    working_ion: z.string().max(20).optional().describe('Ion of the potential; Li by default.'),
    potential: voltage
      .optional()
      .meta(
        unit('V', 'Opens the interfaces to the working ion at this potential; closed interfaces without it.'),
      ),
    functional,
  }),
  answer: outcome.extend({
    materials: z.array(phase).describe('The materials as read, each formula once.'),
    against: phase.nullable().describe('The material that all others react with; null: all pairs.'),
    cells: z
      .array(matrixCell)
      .describe('One entry per pair with row < column; with `against`, column is always 0.'),
    working_ion: z.string().describe('Symbol of the working ion.'),
    potential: z.number().nullable().meta(unit('V', 'Potential of the open ion; null: closed interfaces.')),
    completeness: listCompleteness,
    ...energyScale.shape,
  }),
  refusals: [
    'coatings.too-few',
    'coatings.too-many',
    'interface.bad-reactant',
    'interface.no-material',
    'ecwindow.unknown-ion',
    ...PHASES,
  ],
  calculates: true,
});
export type CoatingMatrix = z.infer<typeof coatingMatrix.answer>;
