/** The search for new compounds: start, progress, results and cancellation. */
import { z } from 'zod';
import { FILTER, outcome, defineCall, unit, listCompleteness } from '../common.ts';
import * as address from '../calls.ts';
import { structureJson } from '../material/result-schemas.ts';
import { hullProbabilities, predictedValues, relaxationChange } from '../prediction/index.ts';
import { DESIGN_LIMITS } from './rules.ts';

export * from './rules.ts';

// Shapes shared by the calls of design.

const symbol = z.string().max(3);

export const designRequest = z.object({
  elements: z.array(symbol).min(1).max(DESIGN_LIMITS.elements).describe('Symbols of the allowed elements.'),
  required: z
    .array(symbol)
    .max(DESIGN_LIMITS.systemSize.max)
    .optional()
    .describe('Symbols of the elements that every compound must contain.'),
  nelements: z
    .int()
    .min(DESIGN_LIMITS.systemSize.min)
    .max(DESIGN_LIMITS.systemSize.max)
    .describe('Number of elements of a compound.'),
  filter: z
    .string()
    .max(4000)
    .optional()
    .describe(
      'Conditions on candidates, in the filter language: their elements, predicted values, distance to the hull, electrochemical windows.',
    ),
  max_atoms: z
    .int()
    .min(2)
    .max(DESIGN_LIMITS.atoms)
    .optional()
    .describe('Maximum number of atoms in the primitive cell.'),
  candidates: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Maximum number of candidates to predict, the chemically nearest first.'),
  include_known: z.boolean().optional().describe('Include compounds that are already in the catalogue.'),
  relax: z
    .boolean()
    .optional()
    .describe(
      `Relax the ${DESIGN_LIMITS.relaxed} candidates with the lowest predicted energy above the hull with the interatomic potential, and rank them by the prediction for the relaxed crystal; default: true.`,
    ),
});
export type DesignRequest = z.infer<typeof designRequest>;

export const designStatus = z.enum(['queued', 'running', 'finished', 'failed', 'cancelled']);
export type DesignStatus = z.infer<typeof designStatus>;

/** Number of candidates after each step of the search; empty until it is known. */
export const designCounts = z.object({
  templates: z.int().optional().describe('Known crystals used as templates.'),
  considered: z.int().optional().describe('Assignments of elements to sites.'),
  unbalanced: z.int().optional().describe('Assignments dropped because no charges make them neutral.'),
  predicted: z.int().optional().describe('Candidates that were predicted.'),
  refused: z
    .int()
    .optional()
    .describe('Candidates the model cannot predict: atoms too close, unknown elements.'),
  filtered: z.int().optional().describe('Candidates rejected by the filter.'),
  without_hull: z
    .int()
    .optional()
    .describe('Candidates dropped because phases for their hull are missing from the catalogue.'),
  duplicates: z.int().optional().describe('Candidates that duplicate a better one.'),
  known: z.int().optional().describe('Candidates already in the catalogue.'),
  relaxed: z.int().optional().describe('Candidates relaxed before the ranking.'),
  not_relaxed: z.int().optional().describe('Candidates whose relaxation failed or did not start in time.'),
  kept: z.int().optional().describe('Candidates kept.'),
});
export type DesignCounts = z.infer<typeof designCounts>;

export const designCandidate = z.object({
  rank: z.int().describe('Rank of the candidate, from 1.'),
  formula: z.string().describe('Formula of the compound.'),
  elements: z.array(z.string()).describe('Symbols of its elements.'),
  nsites: z.int().describe('Number of atoms in its cell.'),
  space_group: z.string().describe('Space group of the template.'),
  density: z.number().meta(unit('g/cm³', 'Density of the scaled cell.')),
  template: z
    .object({
      struct_id: z.int().describe('Id of the template material.'),
      formula: z.string().describe('Formula of the template material.'),
    })
    .describe('The crystal of the catalogue used as template.'),
  replaced: z
    .array(
      z.object({
        from: z.string().describe('The replaced element.'),
        to: z.string().describe('The new element.'),
      }),
    )
    .describe('The replaced elements of the template; unchanged ones are not listed.'),
  volume_ratio: z.number().describe('Volume of the cell over that of the template.'),
  distance: z
    .number()
    .describe(
      'Chemical distance between the new elements and those they replace, in units of 15 % of a radius and 0.5 of electronegativity; 0 for the same.',
    ),
  predicted: predictedValues.describe(
    'Predictions of the site’s network, neither measured nor calculated; null if there is none or predictions are switched off.',
  ),
  energy_above_hull: z
    .number()
    .meta(
      unit('eV/atom', 'Predicted energy above the stable phases of the catalogue; negative: below them.'),
    ),
  ...hullProbabilities,
  windows: z
    .array(
      z.object({
        ion: z.string().describe('The working ion.'),
        reduction_onset: z.number().meta(unit('V', 'Voltage below which it takes up ions.')),
        oxidation_onset: z
          .number()
          .nullable()
          .meta(unit('V', 'Voltage above which it releases ions; null: no upper bound.')),
      }),
    )
    .describe('Electrochemical windows against the ions in the filter.'),
  known_struct_id: z.int().nullable().describe('The identical material of the catalogue; null: none.'),
  relaxation: relaxationChange
    .extend({
      energy_above_hull_before: z
        .number()
        .meta(unit('eV/atom', 'Predicted energy above the hull before the relaxation.')),
    })
    .nullable()
    .describe(
      'How the interatomic potential changed the cell; all other values are predicted for the relaxed cell. null: not relaxed, and ranked after the relaxed ones.',
    ),
  relaxation_message: z.string().describe('Why the relaxation failed; empty without a failure.'),
});
export type DesignCandidate = z.infer<typeof designCandidate>;

export const designRun = z
  .object({
    id: z.int().describe('Id of the search.'),
    request: designRequest.describe('The request.'),
    status: designStatus.describe('State of the search.'),
    progress: z.number().describe('Completed share of the work, 0 to 1.'),
    counts: designCounts.describe('Number of candidates after each step; absent while unknown.'),
    model: z
      .string()
      .describe('First 12 hexadecimal digits of the SHA-256 of the weights; empty before the search runs.'),
    reason: z.string().describe('Reason of the failure; empty without one.'),
    created_at: z.string().describe('Time of the request, ISO 8601.'),
    finished_at: z.string().nullable().describe('Time of the end, ISO 8601; null while it waits or runs.'),
  })
  .describe('The search.');
export type DesignRun = z.infer<typeof designRun>;

const id = z.int().positive().max(2_147_483_647).describe('Id of the search.');

export const startDesign = defineCall(address.startDesign, {
  summary: 'Starts a search for new compounds of some elements in known prototypes; workers run it',
  request: designRequest,
  answer: outcome.extend({ id }),
  refusals: [
    'design.unknown-element',
    'design.no-system',
    'design.too-many-systems',
    'design.too-many-candidates',
    'design.under-way',
    'design.budget',
    ...FILTER,
    'prediction.off',
    'prediction.model-missing',
  ],
  calculates: true,
});

export const listDesigns = defineCall(address.listDesigns, {
  summary: 'The searches of the account, newest first',
  request: z.object({}),
  answer: outcome.extend({ runs: z.array(designRun).describe('Searches, newest first.') }),
});

export const getDesign = defineCall(address.getDesign, {
  summary: 'One search with its candidates, best first',
  request: z.object({ id }),
  answer: outcome.extend({
    run: designRun,
    candidates: z
      .array(designCandidate)
      .describe(
        'The candidates: the relaxed before the others, each by predicted energy above the hull; crystals outside the domain of the model last.',
      ),
    completeness: listCompleteness
      .optional()
      .describe(
        'Whether distances to the hull are lower bounds, because compounds are missing from a chemical system.',
      ),
  }),
  faults: ['design.not-found'],
});

export const cancelDesign = defineCall(address.cancelDesign, {
  summary: 'Cancels a search that waits or runs',
  request: z.object({ id }),
  answer: outcome.extend({ run: designRun }),
  refusals: ['design.over'],
  faults: ['design.not-found'],
});

export const designStructure = defineCall(address.designStructure, {
  summary: 'The cell of a candidate, for viewing, saving or calculating',
  request: z.object({
    id,
    rank: z.int().positive().max(100_000).describe('Rank of the candidate, from 1.'),
  }),
  answer: outcome.extend({
    formula: z.string().describe('Formula of the compound.'),
    structure: structureJson.describe('The cell, in the form that `run4u_submit` takes.'),
    cif: z.string().describe('The cell as CIF text in P1.'),
  }),
  faults: ['design.not-found'],
});
