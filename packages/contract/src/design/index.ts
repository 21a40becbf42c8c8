/** Searching for new compounds: start, progress, results, cancel. */
import { z } from 'zod';
import { FILTER, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { structureJson } from '../material/result-schemas.ts';
import { listCompleteness } from '../phase-diagram/fields.ts';
import { predictedValues } from '../prediction/index.ts';
import { DESIGN_LIMITS } from './rules.ts';

export * from './rules.ts';

// Shapes the calls of design share.

const symbol = z.string().max(3);

export const designRequest = z.object({
  elements: z
    .array(symbol)
    .min(1)
    .max(DESIGN_LIMITS.elements)
    .describe('Symbols the compounds may be made of.'),
  required: z
    .array(symbol)
    .max(DESIGN_LIMITS.systemSize.max)
    .optional()
    .describe('Symbols that every compound holds.'),
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
      'What candidates must meet, in the filter language: their elements, predicted values, distance to the hull, electrochemical windows.',
    ),
  max_atoms: z
    .int()
    .min(2)
    .max(DESIGN_LIMITS.atoms)
    .optional()
    .describe('Atoms of the primitive cell at most.'),
  candidates: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Candidates to predict at most, the chemically nearest first.'),
  include_known: z.boolean().optional().describe('Compounds the catalogue has already are shown too.'),
});
export type DesignRequest = z.infer<typeof designRequest>;

export const designStatus = z.enum(['queued', 'running', 'finished', 'failed', 'cancelled']);
export type DesignStatus = z.infer<typeof designStatus>;

/** Number of candidates after each step of the search; empty until known. */
export const designCounts = z.object({
  templates: z.int().optional().describe('Known crystals whose places were tried.'),
  considered: z.int().optional().describe('Assignments of elements to places.'),
  unbalanced: z.int().optional().describe('Assignments left out because no charges make them neutral.'),
  predicted: z.int().optional().describe('Candidates that were predicted.'),
  refused: z
    .int()
    .optional()
    .describe('Candidates the model says nothing of: atoms too near, elements it does not know.'),
  filtered: z.int().optional().describe('Candidates left out by the filter.'),
  without_hull: z
    .int()
    .optional()
    .describe('Candidates left out because the catalogue lacks what their hull needs.'),
  duplicates: z.int().optional().describe('Candidates that are the same crystal as a better one.'),
  known: z.int().optional().describe('Candidates the catalogue has already.'),
  kept: z.int().optional().describe('Candidates that were kept.'),
});
export type DesignCounts = z.infer<typeof designCounts>;

export const designCandidate = z.object({
  rank: z.int().describe('Place among the candidates, from 1.'),
  formula: z.string().describe('Its formula.'),
  elements: z.array(z.string()).describe('Symbols of its elements.'),
  nsites: z.int().describe('Number of atoms in its cell.'),
  space_group: z.string().describe('Space group of the crystal whose places were taken.'),
  density: z.number().meta(unit('g/cm³', 'Density of the cell as scaled.')),
  template: z
    .object({
      struct_id: z.int().describe('Id of that material.'),
      formula: z.string().describe('Formula of that material.'),
    })
    .describe('The crystal of the catalogue whose places were taken.'),
  replaced: z
    .array(
      z.object({
        from: z.string().describe('The element that was there.'),
        to: z.string().describe('The element that took its place.'),
      }),
    )
    .describe('Which elements of it were replaced; those that stayed are not named.'),
  volume_ratio: z.number().describe('Volume of the cell over that of the crystal it was made from.'),
  distance: z
    .number()
    .describe(
      'How unlike the elements are to those they replace, in 15 % of a radius and 0.5 of electronegativity; 0 for the same.',
    ),
  predicted: predictedValues.describe(
    'What the network of the site says of it, neither measured nor calculated; null where it says nothing or predictions are switched off.',
  ),
  energy_above_hull: z
    .number()
    .meta(
      unit('eV/atom', 'Predicted energy above the stable phases of the catalogue; negative: below them.'),
    ),
  probability_within_25_mev: z
    .number()
    .describe('Probability that the true energy lies at most 25 meV/atom above the hull, 0 to 1.'),
  probability_within_50_mev: z
    .number()
    .describe('Probability that the true energy lies at most 50 meV/atom above the hull, 0 to 1.'),
  windows: z
    .array(
      z.object({
        ion: z.string().describe('The working ion.'),
        reduction_onset: z.number().meta(unit('V', 'Below this voltage it takes up ions.')),
        oxidation_onset: z
          .number()
          .nullable()
          .meta(unit('V', 'Above this voltage it gives up ions; null: no upper bound.')),
      }),
    )
    .describe('Electrochemical windows against the ions the filter asks for.'),
  known_struct_id: z
    .int()
    .nullable()
    .describe('The material of the catalogue that is this crystal; null: there is none.'),
});
export type DesignCandidate = z.infer<typeof designCandidate>;

export const designRun = z
  .object({
    id: z.int().describe('Number of the search.'),
    request: designRequest.describe('What was asked for.'),
    status: designStatus.describe('Where the search is.'),
    progress: z.number().describe('Share of the work that is done, 0 to 1.'),
    counts: designCounts.describe('What was left at each step; what is not known yet is absent.'),
    model: z
      .string()
      .describe('First 12 hexadecimal digits of the SHA-256 of the weights; empty until the search runs.'),
    reason: z.string().describe('Why the search failed; empty when it did not.'),
    created_at: z.string().describe('When it was asked for, ISO 8601.'),
    finished_at: z.string().nullable().describe('When it ended, ISO 8601; null while it waits or runs.'),
  })
  .describe('The search.');
export type DesignRun = z.infer<typeof designRun>;

const id = z.int().positive().max(2_147_483_647).describe('Number of the search.');

export const startDesign = defineCall({
  name: 'startDesign',
  group: 'design',
  method: 'POST',
  path: '/api/design/start/',
  summary: 'Searches for new compounds of some elements in known prototypes; workers do it',
  access: 'user',
  body: 'json',
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

export const listDesigns = defineCall({
  name: 'listDesigns',
  group: 'design',
  method: 'POST',
  path: '/api/design/runs/',
  summary: 'The searches of the account, newest first',
  access: 'user',
  body: 'json',
  request: z.object({}),
  answer: outcome.extend({ runs: z.array(designRun).describe('Searches, newest first.') }),
  refusals: [],
});

export const getDesign = defineCall({
  name: 'getDesign',
  group: 'design',
  method: 'POST',
  path: '/api/design/run/',
  summary: 'One search with the candidates it found, best first',
  access: 'user',
  body: 'json',
  request: z.object({ id }),
  answer: outcome.extend({
    run: designRun,
    candidates: z
      .array(designCandidate)
      .describe('Compounds that were found, lowest predicted energy above the hull first.'),
    completeness: listCompleteness
      .optional()
      .describe('Distances to the hull of a chemical system that lacks compounds are lower bounds.'),
  }),
  refusals: [],
  faults: ['design.not-found'],
});

export const cancelDesign = defineCall({
  name: 'cancelDesign',
  group: 'design',
  method: 'POST',
  path: '/api/design/cancel/',
  summary: 'Ends a search that waits or runs',
  access: 'user',
  body: 'json',
  request: z.object({ id }),
  answer: outcome.extend({ run: designRun }),
  refusals: ['design.over'],
  faults: ['design.not-found'],
});

export const designStructure = defineCall({
  name: 'designStructure',
  group: 'design',
  method: 'POST',
  path: '/api/design/structure/',
  summary: 'The cell of a candidate, to be looked at, kept or calculated',
  access: 'user',
  body: 'json',
  request: z.object({
    id,
    rank: z.int().positive().max(100_000).describe('Place among the candidates, from 1.'),
  }),
  answer: outcome.extend({
    formula: z.string().describe('Its formula.'),
    structure: structureJson.describe('The cell, as `run4u_submit` takes it.'),
    cif: z.string().describe('The same as CIF text in P1.'),
  }),
  refusals: [],
  faults: ['design.not-found'],
});
