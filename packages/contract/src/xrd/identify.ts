/** Identifies the phases of a measured pattern and their fractions; the request names no phase. */
import { z } from 'zod';
import { formula, materialId, outcome, spaceGroup } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { matchRequest, MAX_PATTERN_BODY_BYTES } from './fields.ts';
import { refineRequest, refineResult, xrdRefine } from './refine.ts';
import { MAX_IDENTIFIED } from './rules.ts';

export const identifyRequest = refineRequest.omit({ phases: true, method: true, refined: true }).extend({
  elements: matchRequest.shape.elements,
  max_phases: z
    .int()
    .min(1)
    .max(MAX_IDENTIFIED)
    .default(MAX_IDENTIFIED)
    .describe('Largest number of phases that are looked for.'),
});

const namedMaterial = z.object({ struct_id: materialId, formula, space_group: spaceGroup });

export const identifiedPhase = namedMaterial.extend({
  significance: z
    .number()
    .describe('Scale over its standard deviation, which contains the misfit of the model; at least 10.'),
  confirmed_share: z
    .number()
    .describe('Share of the expected lines that the pattern shows, 0 to 1; at least 0.65.'),
  alternatives: z
    .array(namedMaterial)
    .describe('Isotypes and other phases that fit about as well, best first. The elements decide.'),
});
export type IdentifiedPhase = z.infer<typeof identifiedPhase>;

export const identifyResult = outcome.extend({
  verdict: z
    .enum(['identified', 'partly', 'none'])
    .describe(
      'identified: the phases explain the pattern; partly: lines are left; none: no material explains it.',
    ),
  statement: z.string().describe('The verdict as text.'),
  phases: z.array(identifiedPhase).describe('The phases, in the order of `refinement.phases`.'),
  explained_share: z
    .number()
    .describe('Share of the intensity above the background that the phases explain, 0 to 1.'),
  refinement: refineResult.nullable().describe('The refinement with these phases; null without a phase.'),
  candidates: z.int().describe('Number of materials that were searched.'),
  seconds: z.number().meta(unit('s', 'Duration, with the refinement.')),
});
export type IdentifyResult = z.infer<typeof identifyResult>;

/** Waits, reports progress and can be cancelled like `xrd_match`. */
export const xrdIdentify = defineCall(address.xrdIdentify, {
  summary:
    'Finds the phases of a measured pattern, up to four, and refines them: what is in it, and how much',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: identifyRequest,
  answer: identifyResult,
  refusals: [
    ...xrdRefine.refusals.filter((code) => code !== 'xrd.refine.phase' && code !== 'xrd.refine.cif'),
    'xrd.no-signal',
    'xrd.neutrons.too-many',
    'xrd.filter.too-long',
    'xrd.filter.keyword',
    'xrd.filter.star',
    'xrd.filter.symbol',
    'xrd.filter.no-element',
  ],
  faults: ['xrd.queue-full'],
  calculates: true,
});
