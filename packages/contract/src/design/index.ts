/** Searching for new compounds: start, follow, look, stop. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { outcome } from '../common.ts';
import { structureJson } from '../material/result-schemas.ts';
import { listCompleteness } from '../phase-diagram/fields.ts';
import { FILTER } from '../refusals.ts';
import { designCandidate, designRequest, designRun } from './design-shapes.ts';

export * from './design-shapes.ts';

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
