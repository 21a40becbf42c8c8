/** Searching for new compounds: start, follow, look, stop. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { outcome } from '../common.ts';
import { structureJson } from '../material/result-schemas.ts';
import { listCompleteness } from '../phase-diagram/fields.ts';
import { FILTER } from '../refusals.ts';
import { predictedValues } from '../prediction/predicted-values.ts';

// Shapes the calls of design share.

/** What one search may look at. */
export const DESIGN_LIMITS = {
  elements: 12,
  /** Elements of one compound. */
  systemSize: { min: 2, max: 4 },
  /** Sets of elements. */
  systems: 50,
  /** Atoms of the primitive cell. */
  atoms: 40,
  /** Candidates that are predicted. */
  candidates: 2000,
  /** Candidates that are kept, best first. */
  kept: 300,
} as const;

/** What a search starts with when nothing else is asked for. */
export const DESIGN_DEFAULTS = { atoms: 20, candidates: 400 } as const;

const symbol = z.string().max(3);

export const designRequest = z.object({
  /** Symbols the compounds may be made of. */
  elements: z.array(symbol).min(1).max(DESIGN_LIMITS.elements),
  /** Symbols that every compound holds. */
  required: z.array(symbol).max(DESIGN_LIMITS.systemSize.max).optional(),
  /** Elements of a compound. */
  nelements: z.int().min(DESIGN_LIMITS.systemSize.min).max(DESIGN_LIMITS.systemSize.max),
  /** What candidates must meet, in the filter language. */
  filter: z.string().max(4000).optional(),
  /** Atoms of the primitive cell at most. */
  max_atoms: z.int().min(2).max(DESIGN_LIMITS.atoms).optional(),
  /** Candidates to predict at most, the chemically nearest first. */
  candidates: z.int().min(1).max(1_000_000).optional(),
  /** Compounds the catalogue has already are shown too. */
  include_known: z.boolean().optional(),
});
export type DesignRequest = z.infer<typeof designRequest>;

export const designStatus = z.enum(['queued', 'running', 'finished', 'failed', 'cancelled']);
export type DesignStatus = z.infer<typeof designStatus>;

/** What was left of the search at each step; empty until it is known. */
export const designCounts = z.object({
  /** Known crystals whose places were taken. */
  templates: z.int().optional(),
  /** Assignments of elements to places. */
  considered: z.int().optional(),
  /** Left out: no charges make them neutral. */
  unbalanced: z.int().optional(),
  /** Predicted. */
  predicted: z.int().optional(),
  /** The model says nothing of them: atoms too near, elements it does not know. */
  refused: z.int().optional(),
  /** Left out by the filter. */
  filtered: z.int().optional(),
  /** Left out: the catalogue lacks what their hull needs. */
  without_hull: z.int().optional(),
  /** Left out: the same crystal as a better candidate. */
  duplicates: z.int().optional(),
  /** In the catalogue already. */
  known: z.int().optional(),
  kept: z.int().optional(),
});
export type DesignCounts = z.infer<typeof designCounts>;

export const designCandidate = z.object({
  rank: z.int(),
  formula: z.string(),
  elements: z.array(z.string()),
  /** Atoms of the cell. */
  nsites: z.int(),
  /** Of the crystal whose places were taken. */
  space_group: z.string(),
  /** g/cm³ */
  density: z.number(),
  /** The crystal whose places were taken, and by what. */
  template: z.object({ struct_id: z.int(), formula: z.string() }),
  replaced: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Volume of the cell over that of the template. */
  volume_ratio: z.number(),
  /** How unlike the elements are to those they replace, 0 for the same. */
  distance: z.number(),
  predicted: predictedValues,
  /** eV/atom over the stable phases of the catalogue, predicted; negative: below them. */
  energy_above_hull: z.number(),
  probability_within_25_mev: z.number(),
  probability_within_50_mev: z.number(),
  /** Of the ions the filter asks for. */
  windows: z.array(
    z.object({
      ion: z.string(),
      /** V against the ion's metal */
      reduction_onset: z.number(),
      /** null: no upper bound. */
      oxidation_onset: z.number().nullable(),
    }),
  ),
  /** The material of the catalogue that is this crystal; null: it has none. */
  known_struct_id: z.int().nullable(),
});
export type DesignCandidate = z.infer<typeof designCandidate>;

export const designRun = z.object({
  id: z.int(),
  request: designRequest,
  status: designStatus,
  /** 0 to 1. */
  progress: z.number(),
  counts: designCounts,
  /** SHA-256 of the weights, shortened; empty until it runs. */
  model: z.string(),
  /** Why it failed; empty when it did not. */
  reason: z.string(),
  /** ISO 8601 */
  created_at: z.string(),
  finished_at: z.string().nullable(),
});
export type DesignRun = z.infer<typeof designRun>;

const id = z.int().positive().max(2_147_483_647);

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
  answer: outcome.extend({ runs: z.array(designRun) }),
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
    candidates: z.array(designCandidate),
    /** Distances to the hull of a chemical system that lacks compounds are lower bounds. */
    completeness: listCompleteness.optional(),
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
  request: z.object({ id, rank: z.int().positive().max(100_000) }),
  answer: outcome.extend({
    formula: z.string(),
    structure: structureJson,
    /** CIF text in P1. */
    cif: z.string(),
  }),
  refusals: [],
  faults: ['design.not-found'],
});

export const designCalls: readonly Call[] = [
  startDesign,
  listDesigns,
  getDesign,
  cancelDesign,
  designStructure,
];
