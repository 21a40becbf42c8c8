/** Shapes shared by the calls of the XRD matcher (spec §3 "XRD data"). */
import { z } from 'zod';
import {
  energyScale,
  positionalRow,
  unit,
  atomCount,
  formula,
  materialId,
  outcome,
  spaceGroup,
  structId,
} from '../common.ts';
import {
  LISTED_SPACINGS,
  MATCH_ROWS,
  MATCH_ROW_FIELDS,
  MAX_LISTED_LINES,
  MAX_MATCH_STRAIN,
} from './rules.ts';

/**
 * Limit of points in a pattern. `xrd_receive` averages neighbouring points of files with more. A scan of 100°
 * then has a step of 0.005°, a sixteenth of the width of the sharpest laboratory peak.
 */
export const MAX_PATTERN_POINTS = 20_000;

/** Reasons to refuse a pattern that a client sends back. */
export const DATA_REFUSALS = [
  'xrd.data.lengths',
  'xrd.data.too-few',
  'xrd.data.too-many',
  'xrd.data.angle',
  'xrd.data.order',
  'xrd.data.constant',
  'xrd.data.negative',
] as const;

/** Limit in bytes: the JSON of a pattern of MAX_PATTERN_POINTS with all digits fits. */
export const MAX_PATTERN_BODY_BYTES = 1024 * 1024;

/** A pattern as it is sent between the calls, spelled as in the specification. */
export const xrdData = z
  .object({
    x: z.array(z.number()).meta(unit('°', 'Diffraction angle 2θ, ascending.')),
    y: z.array(z.number()).describe('Intensity: counts, or strongest point 100 when normalised.'),
    name: z
      .enum(['pristine', 'normlized'])
      .default('pristine')
      .describe('pristine: as measured; normlized: strongest point 100.'),
    background_removed: z
      .boolean()
      .default(false)
      .describe('True after xrd_remove_bg. Otherwise a match removes the background itself.'),
  })
  .describe('A pattern, as returned by xrd_receive.');
export type XrdData = z.infer<typeof xrdData>;

/** Answer of the calls that produce a pattern: the pattern and its messages. */
export const xrdDataAnswer = outcome.extend(xrdData.shape);

export const matchWay = z.enum(['DTW', 'Euclidean']);
export type MatchWay = z.infer<typeof matchWay>;

/** Reasons to refuse a radiation. */
export const RADIATION_REFUSALS = [
  'xrd.unknown-source',
  'xrd.bad-wavelength',
  'xrd.neutrons.wavelength',
] as const;

export const radiation = z
  .union([z.string().max(40), z.number()])
  .describe(
    'A source (`CuKa`, `CuKα`), a wavelength in Å, or neutrons of one wavelength in Å (`neutrons 1.594`).',
  );

export const xrdPeak = z.object({
  two_theta: z.number().meta(unit('°', 'Diffraction angle 2θ at the measuring wavelength.')),
  d: z.number().meta(unit('Å', 'Spacing of the planes.')),
  intensity: z
    .number()
    .describe('Integrated intensity (area above background, Kα1 and Kα2 together), strongest peak 100.'),
  height: z.number().describe('Height above background, highest peak 100.'),
  fwhm: z.number().meta(unit('°', 'Full width at half maximum as observed.')),
});
export type XrdPeak = z.infer<typeof xrdPeak>;

export const confidence = z.enum(['confident', 'possible', 'none']);
export type XrdConfidence = z.infer<typeof confidence>;

export const matchRow = positionalRow(MATCH_ROW_FIELDS, {
  distance: z.number().describe('Distance of the two patterns; 0: identical.'),
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  nsites: atomCount,
  ehull: z
    .number()
    .nullable()
    .meta(unit('eV/atom', 'Energy above the hull on the scale named by `functional`; null if unknown.')),
});
export type MatchRow = z.infer<typeof matchRow>;

/** Further details of the rows in `results`, in the same order. */
export const matchHit = z.object({
  struct_id: materialId,
  strain: z
    .number()
    .describe('Relative change of the cell of the reference with the best fit: +0.01 is a cell 1 % larger.'),
  explained_share: z
    .number()
    .describe(
      'Share of the measured intensity (sum of the intensities of the peaks) in peaks that have a line of this reference within the tolerance, 0 to 1.',
    ),
  confirmed_share: z
    .number()
    .describe(
      "Share of the reference's intensity in the measured range that measured peaks confirm, 0 to 1.",
    ),
  confidence: confidence.describe(
    'confident, possible, or none: explained × confirmed or the distance rule it out. Never confident with rivals.',
  ),
  unexplained_peaks: z
    .array(xrdPeak)
    .describe('Measured peaks without a line of this reference, strongest first.'),
  rivals: z
    .array(z.int())
    .describe(
      'Other phases that fit about as well, by struct_id, nearest first: isotypes, and polymorphs of the same formula. Empty for a hit that does not fit.',
    ),
});
export type MatchHit = z.infer<typeof matchHit>;

/** Matching options, shared by `xrd_match` and `xrd_explain`. */
export const variableSlit = z
  .boolean()
  .default(false)
  .describe(
    'True: the divergence slit opened with the angle and kept the irradiated length, so that intensities contain a factor of sin θ.',
  );

export const matchRequest = z.object({
  xrd_data: xrdData.optional().describe('The pattern, as returned by xrd_receive. Either this or `lines`.'),
  lines: z
    .array(
      z.tuple([
        z.number().min(LISTED_SPACINGS.min).max(LISTED_SPACINGS.max),
        z.number().nonnegative().max(Number.MAX_SAFE_INTEGER),
      ]),
    )
    .min(1)
    .max(MAX_LISTED_LINES)
    .optional()
    .describe(
      'In place of a pattern: spacing d in Å and intensity (any scale) of each line, as reference cards list them. The pattern is drawn for `radiation`.',
    ),
  elements: z
    .string()
    .max(20_000)
    .default('')
    .describe(
      '`only: Al N` (exactly these), `include: Al N *` (at least these), `Al N *` likewise; empty: all materials.',
    ),
  radiation: radiation.default('CuKa'),
  variable_slit: variableSlit,
  match_way: matchWay
    .default('DTW')
    .describe('Method of comparison: dynamic time warping or point by point.'),
  match_id: z
    .string()
    .regex(/^[\w-]{8,64}$/, '8 to 64 letters, digits, - or _')
    .optional()
    .describe('Chosen by the client to follow or cancel this match; letters, digits, `-` and `_`.'),
  top: z.int().min(1).max(MATCH_ROWS.max).default(MATCH_ROWS.default).describe('Maximum number of rows.'),
  max_strain: z
    .number()
    .min(0)
    .max(MAX_MATCH_STRAIN)
    .default(MAX_MATCH_STRAIN)
    .describe('Largest relative change of the reference cells; 0 compares cells without strain.'),
  crystal_size: z
    .number()
    .optional()
    .meta(
      unit(
        'nm',
        'Size of the crystallites, which broadens the lines; estimated from the peak widths when absent.',
      ),
    ),
});

export const matchResult = outcome.extend({
  results: z
    .array(matchRow)
    .describe('The results, nearest first; each position of a row is described below.'),
  functional: z.string().optional().describe('Energy scale of the energies above the hull.'),
  release: energyScale.shape.release.optional(),
  crystal_size: z
    .number()
    .meta(
      unit(
        'nm',
        'Size of the crystallites, which broadens the lines; estimated from the peak widths by default.',
      ),
    ),
  radiation: z
    .string()
    .describe('Display name of the source (`CuKα`), `neutrons 1.594`, or the wavelength as text.'),
  wavelength: z.number().meta(unit('Å', 'Wavelength of the radiation.')),
  hits: z
    .array(matchHit)
    .describe('Details of the rows beyond their six positions; same order as `results`.'),
  named: z
    .int()
    .nullable()
    .describe(
      'struct_id of the material of the verdict: among the nearest the one whose lines agree best with the measured peaks; null if nothing was compared.',
    ),
  confidence: confidence.describe('Confidence in the named material; none: nothing that was compared fits.'),
  statement: z
    .string()
    .describe('The verdict as text: what is explained, what fits as well, or that nothing fits.'),
  peaks: z.array(xrdPeak).describe('Measured peaks, in order of angle.'),
  warnings: z
    .array(z.string())
    .describe(
      'Notices, in the language of Accept-Language: background removed by the match, materials without a line in range …',
    ),
  candidates: z.int().describe('Number of materials compared.'),
  seconds: z.number().meta(unit('s', 'Duration of the comparison.')),
  waited_seconds: z.number().meta(unit('s', 'Waiting time for other matches.')),
});
export type MatchResult = z.infer<typeof matchResult>;

/** A phase to subtract before the rest is matched. */
export const explainedPhase = z.object({
  struct_id: structId,
  strain: z.number().min(-0.05).max(0.05).default(0).describe('Strain of the hit.'),
});
export type ExplainedPhase = z.infer<typeof explainedPhase>;

/** A match in progress for this account. */
export const runningMatch = z.object({
  match_id: matchRequest.shape.match_id
    .unwrap()
    .describe('Chosen by the client to follow or cancel this match.'),
});
