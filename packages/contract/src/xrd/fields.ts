/** Shapes the calls of the XRD matcher share (spec §3 "XRD data"). */
import { z } from 'zod';
import { outcome, structId } from '../common.ts';

/** Bytes an uploaded pattern may have. */
export const MAX_PATTERN_BYTES = 2 * 1024 * 1024;

/**
 * Points of a pattern. Longer files are averaged down to this by `xrd_receive`: a scan of 100° then has a step of
 * 0.005°, a sixteenth of the width of the sharpest laboratory peak.
 */
export const MAX_PATTERN_POINTS = 20_000;

/** Bytes of the JSON of a pattern of MAX_PATTERN_POINTS with all digits. */
export const MAX_PATTERN_BODY_BYTES = 1024 * 1024;

/** Rows a match may be asked for, and how many it answers when nothing is said. */
export const MATCH_ROWS = { default: 20, max: 100 } as const;

/** Largest isotropic strain of a reference that is allowed for; 0 switches the allowance off. */
export const MAX_MATCH_STRAIN = 0.02;

/** A pattern as it travels between the calls. The odd spelling is the specification's. */
export const xrdData = z.object({
  /** 2θ in degrees, rising. */
  x: z.array(z.number()),
  /** Intensity; counts, or strongest point 100 when normalised. */
  y: z.array(z.number()),
  name: z.enum(['pristine', 'normlized']).default('pristine'),
  /** True once `xrd_remove_bg` was there. A match removes the background itself where this is not said. */
  background_removed: z.boolean().default(false),
});
export type XrdData = z.infer<typeof xrdData>;

/** Answer of the calls that make a pattern: the pattern itself, with its words. */
export const xrdDataAnswer = outcome.extend(xrdData.shape);

export const matchWay = z.enum(['DTW', 'Euclidean']);
export type MatchWay = z.infer<typeof matchWay>;

/** A source (`CuKa`, `CuKα`) or a wavelength in Å, as number or text. */
export const radiation = z.union([z.string().max(40), z.number()]);

/** A measured peak. */
export const xrdPeak = z.object({
  /** 2θ in degrees at the measuring wavelength. */
  two_theta: z.number(),
  /** Å */
  d: z.number(),
  /** Integrated intensity (area above background, Kα1 and Kα2 together), strongest peak 100. */
  intensity: z.number(),
  /** Height above background, highest peak 100. */
  height: z.number(),
  /** Full width at half maximum as observed, degrees. */
  fwhm: z.number(),
});
export type XrdPeak = z.infer<typeof xrdPeak>;

export const confidence = z.enum(['confident', 'possible', 'none']);
export type XrdConfidence = z.infer<typeof confidence>;

/** Names of the positions of a result row, in order. Energy above hull in eV/atom; null when it is not known. */
export const MATCH_ROW_FIELDS = [
  'distance',
  'struct_id',
  'formula',
  'space_group',
  'nsites',
  'ehull',
] as const;

export const matchRow = z.tuple([
  z.number(),
  z.int(),
  z.string(),
  z.string(),
  z.int(),
  z.number().nullable(),
]);
export type MatchRow = z.infer<typeof matchRow>;

/** What is known of a result row beyond its six positions; same order as `results`. */
export const matchHit = z.object({
  struct_id: z.int(),
  /** Relative change of the reference's cell that fits best: +0.01 is a cell 1 % larger. */
  strain: z.number(),
  /**
   * Share of the measured intensity (sum of the intensities of the peaks) in peaks that have a line of this reference within
   * the tolerance, 0 to 1.
   */
  explained_share: z.number(),
  /** Share of the reference's intensity in the measured range that measured peaks confirm, 0 to 1. */
  confirmed_share: z.number(),
  /** `none`: explained × confirmed or the distance say that it does not fit. Never `confident` with rivals. */
  confidence,
  /** Measured peaks without a line of this reference, strongest first. */
  unexplained_peaks: z.array(xrdPeak),
  /**
   * Other phases that fit about as well, by struct_id, nearest first: isotypes, and polymorphs of the same formula. None for
   * a hit that does not fit.
   */
  rivals: z.array(z.int()),
});
export type MatchHit = z.infer<typeof matchHit>;

/** How to match: shared by `xrd_match` and `xrd_explain`. */
export const matchRequest = z.object({
  xrd_data: xrdData,
  /** `only: Al N` (exactly these), `include: Al N *` (at least these); empty: all materials. */
  elements: z.string().max(20_000).default(''),
  radiation: radiation.default('CuKa'),
  match_way: matchWay.default('DTW'),
  /** Chosen by the client to follow or cancel this match; letters, digits, `-` and `_`. */
  match_id: z
    .string()
    .regex(/^[\w-]{8,64}$/, '8 to 64 letters, digits, - or _')
    .optional(),
  /** Rows wanted. */
  top: z.int().min(1).max(MATCH_ROWS.max).default(MATCH_ROWS.default),
  /** Largest |strain| of the references; 0 compares cells as they are. */
  max_strain: z.number().min(0).max(MAX_MATCH_STRAIN).default(MAX_MATCH_STRAIN),
  /** Crystallite size in nm that broadens the references; estimated from the peak widths when absent. */
  crystal_size: z.number().optional(),
});

export const matchResult = outcome.extend({
  /** Nearest first. */
  results: z.array(matchRow),
  /** Energy scale of the energies above the hull. */
  functional: z.string().optional(),
  /** nm; estimated from the peak widths unless it was given. */
  crystal_size: z.number(),
  /** The source as it is shown (`CuKα`), or the wavelength as text. */
  radiation: z.string(),
  /** Å */
  wavelength: z.number(),
  hits: z.array(matchHit),
  /** The material the verdict is of: of those nearest the one whose lines and the measured peaks agree best. */
  named: z.int().nullable(),
  /** Of the material named; `none`: nothing that was compared fits. */
  confidence,
  /** The verdict in words: what is explained, what fits as well, or that nothing fits. */
  statement: z.string(),
  /** Measured peaks, in order of angle. */
  peaks: z.array(xrdPeak),
  /** Things to know: background removed by the match, materials without a line in range … */
  warnings: z.array(z.string()),
  /** Materials compared. */
  candidates: z.int(),
  /** Seconds the comparison took, and seconds it waited for other matches. */
  seconds: z.number(),
  waited_seconds: z.number(),
});
export type MatchResult = z.infer<typeof matchResult>;

/** A phase to take away before the rest is matched. */
export const explainedPhase = z.object({
  struct_id: structId,
  /** Strain of its hit. */
  strain: z.number().min(-0.05).max(0.05).default(0),
});
export type ExplainedPhase = z.infer<typeof explainedPhase>;

/** A match that this account waits for. */
export const runningMatch = z.object({ match_id: matchRequest.shape.match_id.unwrap() });
