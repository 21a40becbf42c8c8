import { z } from 'zod';
import {
  formula,
  materialId,
  numeric,
  outcome,
  PATTERN,
  spaceGroup,
  structId,
  defineCall,
  unit,
} from '../common.ts';
import * as address from '../calls.ts';
import { materialXrd } from '../matdata/crystal-views.ts';
import {
  DATA_REFUSALS,
  explainedPhase,
  matchRequest,
  matchResult,
  MAX_PATTERN_BODY_BYTES,
  radiation,
  RADIATION_REFUSALS,
  runningMatch,
  xrdData,
  xrdDataAnswer,
} from './fields.ts';
import { MAX_PATTERN_BYTES, MAX_IDENTIFIED } from './rules.ts';
import { radiationLine, refineRequest, refineResult, xrdRefine } from './refine.ts';

export * from './fields.ts';
export * from './refine.ts';
export * from './rules.ts';

/** Reasons why no pattern can be read from a file. */
const FILE_REFUSALS = [
  'xrd.file.empty',
  'xrd.file.columns',
  'xrd.file.markup',
  'xrd.file.no-numbers',
  'xrd.file.not-finite',
  'xrd.file.angle',
  'xrd.file.too-few',
  'xrd.file.constant',
  'xrd.file.negative',
  'xrd.file.picture',
  'xrd.file.document',
  'xrd.file.archive',
  'xrd.file.instrument-file',
  'xrd.file.not-two-theta',
  'xrd.file.time-of-flight',
  'xrd.file.binary',
] as const;

const MATCH_REFUSALS = [
  ...DATA_REFUSALS,
  'xrd.lines.either',
  'xrd.lines.unseen',
  'xrd.no-signal',
  ...RADIATION_REFUSALS,
  'xrd.neutrons.too-many',
  'xrd.bad-size',
  'xrd.filter.too-long',
  'xrd.filter.keyword',
  'xrd.filter.star',
  'xrd.filter.symbol',
  'xrd.filter.no-element',
  'xrd.match-id-in-use',
  'xrd.cancelled',
] as const;

/** Metadata from the file of an instrument; a field is absent if the file does not state it. */
export const measurementRecord = z.object({
  format: z.string().describe('Name of the format: `PANalytical XRDML`, `Bruker RAW 4`, `GSAS` …'),
  axis: z.string().describe('The scanned axis in the words of the file.'),
  step: z.number().optional().meta(unit('°', 'Step; absent when it changes along the scan.')),
  step_seconds: z.number().optional().meta(unit('s', 'Counting time of a step.')),
  anode: z.string().optional().describe('Element of the anode.'),
  k_alpha1: z.number().optional().meta(unit('Å', 'Wavelength of Kα1.')),
  k_alpha2: z.number().optional().meta(unit('Å', 'Wavelength of Kα2.')),
  k_alpha_ratio: z.number().optional().describe('Intensity of Kα2 relative to Kα1.'),
  monochromator: z.string().optional().describe('Name of the monochromator.'),
  divergence_slit: z
    .string()
    .optional()
    .describe('The slit before the sample in the words of the file: `Fixed slit 1/2°`, `1.250deg`.'),
  is_slit_variable: z.boolean().describe('Whether the file says that this slit opens with the angle.'),
  radiation: z
    .string()
    .optional()
    .describe(
      'For the request of a match: a source (`CuKa`), `neutrons 1.594`, or a wavelength in Å as text. Absent when the file names none or contradicts itself.',
    ),
  wavelengths: z
    .array(radiationLine)
    .optional()
    .describe(
      'For the request of a refinement, beside `radiation`: its lines with the wavelengths of the file. Absent when the file does not state them.',
    ),
});
export type MeasurementRecord = z.infer<typeof measurementRecord>;

export const receivedPattern = xrdDataAnswer.extend({
  sigmas: z
    .array(z.number())
    .optional()
    .describe(
      'Standard deviations of the intensities, for `sigmas` of a refinement; absent when the file states none and its counts were not scaled.',
    ),
  file_name: z.string().describe('Name of the file.'),
  warnings: z
    .array(z.string())
    .describe('Notices about how the file was read: skipped lines, averaged angles, decimal comma …'),
  measurement: measurementRecord.optional().describe('Settings of the measurement stated in the file.'),
});
export type ReceivedPattern = z.infer<typeof receivedPattern>;

export const xrdReceive = defineCall(address.xrdReceive, {
  summary:
    'Reads an uploaded pattern: the file of an instrument, or two or three columns of text; at most 2 MB',
  body: {
    fileField: 'xrd-file',
    meaning:
      'The file: .xrdml, .udf, .ras, .rasx, .asc, .brml, .raw (Bruker), .uxd, GSAS, powder CIF, or text with two or three columns.',
    maxBytes: MAX_PATTERN_BYTES,
    missing: 'xrd.no-file',
    tooLarge: 'xrd.too-large',
  },
  request: z.unknown(),
  answer: receivedPattern,
  refusals: ['xrd.no-file', 'xrd.too-large', ...FILE_REFUSALS],
});

export const withoutBackground = xrdDataAnswer.extend({
  background: z
    .array(z.number())
    .describe('The removed background, at the same angles and on the same scale as the request.'),
});
export type WithoutBackground = z.infer<typeof withoutBackground>;

export const xrdRemoveBg = defineCall(address.xrdRemoveBg, {
  summary: 'The pattern without its background (SNIP), also normalised if the flag says so',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: z.object({
    xrd_data: xrdData,
    isNormalize: z
      .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
      .default(false)
      .describe('True: normalise the answer to a strongest point of 100.'),
  }),
  answer: withoutBackground,
  refusals: [...DATA_REFUSALS, 'xrd.no-peaks-left'],
  calculates: true,
});

export const xrdNorData = defineCall(address.xrdNorData, {
  summary: 'The pattern with its strongest point at 100',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: z.object({ xrd_data: xrdData }),
  answer: xrdDataAnswer,
  refusals: [...DATA_REFUSALS, 'xrd.no-peaks-left'],
});

/** The answer is sent when the match is done; closing the connection cancels it. */
export const xrdMatch = defineCall(address.xrdMatch, {
  summary: 'The materials of the whole database with the powder patterns nearest to the measured one',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: matchRequest,
  answer: matchResult,
  refusals: MATCH_REFUSALS,
  faults: ['xrd.queue-full'],
  calculates: true,
});

export const MAX_EXPLAINED_PHASES = 8;

export const restResult = matchResult.extend({
  rest: xrdData.describe('The pattern that was matched: without its background and the given phases.'),
  explained_share: z
    .number()
    .describe(
      'Share of the measured intensity that lines of the phases explain together, 0 to 1; as `explained_share` of a hit.',
    ),
});
export type RestResult = z.infer<typeof restResult>;

/** Waits, reports progress and can be cancelled like `xrd_match`. */
export const xrdExplain = defineCall(address.xrdExplain, {
  summary: 'Subtracts known phases from the pattern and matches the rest',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES,
  request: matchRequest.extend({
    phases: z
      .array(explainedPhase)
      .min(1)
      .max(MAX_EXPLAINED_PHASES)
      .describe('Phases to subtract before the rest is matched.'),
  }),
  answer: restResult,
  refusals: [...MATCH_REFUSALS, 'xrd.no-pattern'],
  faults: ['material.not-found', 'xrd.queue-full'],
  calculates: true,
});

/** `unknown`: finished, cancelled, or never existed. */
export const matchState = z.enum(['waiting', 'indexing', 'running', 'refining', 'unknown']);

export const matchProgress = outcome.extend({
  state: matchState.describe(
    'waiting, indexing, running, refining, or unknown: finished, cancelled, or never existed.',
  ),
  position: z.int().describe('Number of matches ahead while it waits, otherwise 0.'),
  progress: z.number().describe('Progress of indexing, running or refining, 0 to 1.'),
});
export type MatchProgress = z.infer<typeof matchProgress>;

export const xrdProgress = defineCall(address.xrdProgress, {
  summary: 'Progress of a match or refinement of this account; `message` describes it',
  request: runningMatch,
  answer: matchProgress,
});

export const xrdCancel = defineCall(address.xrdCancel, {
  summary: 'Cancels a match or refinement of this account; it then answers that it was cancelled',
  request: runningMatch,
  answer: outcome.extend({ cancelled: z.boolean().describe('Whether there was such a match.') }),
});

export const referencePattern = outcome.extend({
  ...materialXrd.shape,
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  radiation: z
    .string()
    .describe('Display name of the source (`CuKα`), `neutrons 1.594`, or the wavelength as text.'),
  strain: z.number().describe('Relative change of the cell that was applied.'),
});
export type ReferencePattern = z.infer<typeof referencePattern>;

export const xrdGet = defineCall(address.xrdGet, {
  summary: 'The calculated pattern of a result row, for overlaying on the measured one',
  request: z.object({
    struct_id: structId,
    crystal_size: numeric
      .default(200)
      .meta(unit('nm', 'Size of the crystallites, which broadens the lines.')),
    radiation: radiation.default('CuKa'),
    strain: z
      .number()
      .min(-0.05)
      .max(0.05)
      .default(0)
      .describe('Strain of the hit, so that the lines are at the measured positions.'),
    two_theta_max: z
      .number()
      .min(1)
      .max(179)
      .default(90)
      .meta(unit('°', 'Last angle; default 90, or the end of a longer measurement.')),
  }),
  answer: referencePattern,
  refusals: ['xrd.unknown-source', 'xrd.neutrons.wavelength', ...PATTERN],
  faults: ['material.not-found'],
  calculates: true,
});

// Identifies the phases of a measured pattern and their fractions; the request names no phase.

export const identifyRequest = refineRequest.omit({ phases: true, method: true, refined: true }).extend({
  elements: matchRequest.shape.elements.describe(
    '`only: Al N O`: all elements of the sample, of which a phase may have some; `include: O *`: elements that every phase has; empty: all materials.',
  ),
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
  doubt: z
    .string()
    .nullable()
    .describe(
      'Why the elements of the phase are not certain, as text; null if its cell and intensities agree and no other formula fits as well.',
    ),
  alternatives: z
    .array(namedMaterial)
    .describe('Isotypes and other phases that fit about as well, best first. The elements decide.'),
});
export type IdentifiedPhase = z.infer<typeof identifiedPhase>;

export const identifyResult = outcome.extend({
  verdict: z
    .enum(['identified', 'partly', 'none'])
    .describe(
      'identified: the phases explain the pattern; partly: lines are left, or the elements of a phase are not certain; none: no material explains it.',
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
