/** Refinement of a measured pattern with known phases: weight fractions and cells. */
import { z } from 'zod';
import { formula, outcome, structId, defineCall, unit } from '../common.ts';
import * as address from '../calls.ts';
import {
  DATA_REFUSALS,
  MAX_PATTERN_BODY_BYTES,
  matchRequest,
  radiation,
  RADIATION_REFUSALS,
  variableSlit,
  xrdData,
} from './fields.ts';
import { INSTRUMENTS, MAX_CIF_BYTES, MAX_EXCLUDED, MAX_PHASE_NAME, MAX_PHASES } from './rules.ts';

const texture = z
  .union([z.enum(['none', 'automatic']), z.array(z.int().min(-9).max(9)).length(3)])
  .describe(
    'Preferred orientation (March–Dollase): an axis [h, k, l], `automatic` (low-index axes are tried, one is kept if the fit gains), or `none`.',
  );

export const refinePhase = z.object({
  struct_id: structId.optional().describe('A material of the site. Either this or `cif`.'),
  cif: z.string().max(MAX_CIF_BYTES).optional().describe('Text of a CIF with one crystal.'),
  name: z.string().max(MAX_PHASE_NAME).optional().describe('Name in the answer; default: the formula.'),
  strain: z
    .number()
    .min(-0.05)
    .max(0.05)
    .optional()
    .describe('Relative change of the cell to start from: that of the hit of a match; default: found.'),
  texture: texture.optional(),
  particle_size: z
    .number()
    .positive()
    .max(1000)
    .optional()
    .meta(
      unit(
        'µm',
        'Mean diameter of the particles. If all phases have one, the fractions are corrected for microabsorption (Brindley).',
      ),
    ),
  standard_fraction: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe(
      'Weighed share of this phase in the sample, 0 to 1: it becomes the internal standard, and the amorphous share follows.',
    ),
});

const widths = z
  .object({
    u: z.number().describe('U in deg².'),
    v: z.number().describe('V in deg².'),
    w: z.number().describe('W in deg².'),
    x: z.number().describe('X (1/cos θ) in degrees.'),
    y: z.number().describe('Y (tan θ) in degrees.'),
    axial: z
      .array(z.number().min(0).max(0.2))
      .length(2)
      .optional()
      .describe('Half heights of sample and detector slit over the radius of the goniometer.'),
  })
  .describe('Widths of the lines by Thompson, Cox and Hastings.');
export type LineWidths = z.infer<typeof widths>;

export const radiationLine = z.object({
  wavelength: z.number().meta(unit('Å', 'Wavelength of the line.')),
  weight: z.number().positive().max(1).describe('Intensity relative to the first line.'),
});

export const refineRequest = z.object({
  xrd_data: xrdData,
  sigmas: z
    .array(z.number().positive())
    .optional()
    .describe('Standard deviations of the intensities; default: counting statistics.'),
  phases: z.array(refinePhase).min(1).max(MAX_PHASES).describe('The phases of the sample.'),
  radiation: radiation.default('CuKa'),
  wavelengths: z
    .array(radiationLine)
    .max(3)
    .optional()
    .describe('Lines of the radiation, strongest first, in place of `radiation`: Kα1 and Kα2 of the file.'),
  k_beta: z
    .number()
    .min(0)
    .max(0.2)
    .default(0)
    .describe('Intensity of Kβ relative to Kα1, where a filter lets it through; for a source with an anode.'),
  match_id: matchRequest.shape.match_id,
  method: z
    .enum(['rietveld', 'le-bail'])
    .default('rietveld')
    .describe(
      'rietveld: intensities from the atoms, gives fractions; le-bail: intensities free, gives cells.',
    ),
  range: z
    .array(z.number())
    .length(2)
    .optional()
    .meta(unit('°', 'First and last angle 2θ that count; default: all.')),
  excluded: z
    .array(z.array(z.number()).length(2))
    .max(MAX_EXCLUDED)
    .default([])
    .meta(unit('°', 'Regions of 2θ that do not count.')),
  shift: z
    .enum(['displacement', 'zero', 'none'])
    .optional()
    .describe(
      'The error of the angles that is refined: displacement of the sample (default) or zero of the goniometer (default for neutrons and a synchrotron).',
    ),
  goniometer_radius: z
    .number()
    .positive()
    .max(2000)
    .optional()
    .meta(unit('mm', 'Radius of the goniometer; the displacement is then also given in mm.')),
  monochromator: z
    .number()
    .min(0)
    .max(180)
    .optional()
    .meta(unit('°', '2θ of the monochromator crystal (graphite with CuKα: 26.6); absent: none.')),
  polarisation: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'K of the polarisation 1 + K cos² 2θ, in place of the monochromator. Absent without one: 0 for a synchrotron (that `instrument`, or one wavelength that no tube emits), otherwise 1. Neutrons have none.',
    ),
  variable_slit: variableSlit,
  sample_thickness: z
    .number()
    .positive()
    .max(100)
    .optional()
    .describe(
      'μt of a thin flat sample: its linear absorption coefficient times its thickness, without unit; absent: a thick sample.',
    ),
  background_terms: z.int().min(1).max(24).optional().describe('Terms of the Chebyshev background.'),
  humps: z
    .int()
    .min(0)
    .max(3)
    .default(0)
    .describe('Broad Gaussian humps added to the background, for amorphous parts.'),
  instrument: z
    .union([z.enum(INSTRUMENTS), widths])
    .default('estimate')
    .describe('Line widths to start from: estimated, a typical instrument, or those of a standard.'),
  is_calibrated: z
    .boolean()
    .default(false)
    .describe('True: `instrument` was measured with a standard; its U, V and W stay as they are.'),
  refined: z
    .object({
      cell: z.boolean().describe('Cells, within their symmetry.'),
      profile: z.boolean().describe('Line widths: U, V, W common, X and Y for each phase.'),
      overall_b: z.boolean().describe('One displacement parameter B for each phase.'),
      axial_divergence: z.boolean().describe('One axial divergence, common to all.'),
      texture,
    })
    .optional()
    .describe('Parameters to refine besides scales and background; absent: chosen from the data, in stages.'),
});

const ESD = 'Estimated standard deviation, with the factor of Bérar and Lelann; null: not refined.';

export const estimate = z.object({
  value: z.number().describe('The value.'),
  esd: z.number().nullable().describe(ESD),
});
export type Estimate = z.infer<typeof estimate>;

/** A refined estimate together with the value before the refinement. */
const cellEstimate = estimate.extend({ start: z.number().describe('Value of the structure given.') });

const refinedCell = z
  .object({
    a: cellEstimate.meta(unit('Å', 'Cell edge a.')),
    b: cellEstimate.meta(unit('Å', 'Cell edge b.')),
    c: cellEstimate.meta(unit('Å', 'Cell edge c.')),
    alpha: cellEstimate.meta(unit('°', 'Cell angle α.')),
    beta: cellEstimate.meta(unit('°', 'Cell angle β.')),
    gamma: cellEstimate.meta(unit('°', 'Cell angle γ.')),
    volume: cellEstimate.meta(unit('Å³', 'Volume of the cell.')),
  })
  .describe('The refined cell beside that of the structure given.');

const breadthLine = z.object({
  two_theta: z.number().meta(unit('°', 'Angle of the line.')),
  hkl: z.string().describe('Indices hkl, separated by spaces.'),
  breadth: estimate.meta(unit('°', 'Its whole integral breadth: area over height.')),
  instrument: z
    .number()
    .nullable()
    .meta(unit('°', 'Integral breadth of the instrument there; null: not calibrated.')),
  four_sin_theta: z.number().describe('4 sin θ, the abscissa of the Williamson–Hall plot.'),
  beta_cos_theta: estimate.meta(
    unit('rad', 'β cos θ with the breadth of the sample; of the whole line without a calibrated instrument.'),
  ),
});

export const broadening = z.object({
  status: z
    .enum(['broadened', 'instrument-only', 'uncalibrated', 'few-lines'])
    .describe(
      'broadened: lines are broader than the instrument makes them; instrument-only: they are not; uncalibrated: widths contain the part of the instrument, so there are limits only; few-lines: fewer than four lines stand alone.',
    ),
  statement: z.string().describe('The status as text.'),
  size: estimate
    .nullable()
    .meta(
      unit('nm', 'Volume-weighted column length: K λ / intercept with integral breadths; null: a limit.'),
    ),
  size_at_least: z.number().nullable().meta(unit('nm', 'Lower limit of the size, at three e.s.d.')),
  strain: estimate.nullable().describe('Apparent strain Δd/d: the slope; null: a limit.'),
  strain_at_most: z.number().nullable().describe('Upper limit of the strain, at three e.s.d.'),
  scherrer_constant: z.number().describe('K of `size`: 1 for integral breadths.'),
  intercept: estimate.nullable().meta(unit('rad', 'K λ / size of the straight line.')),
  slope: estimate.nullable().describe('Strain of the straight line.'),
  covariance: z.number().nullable().meta(unit('rad', 'Covariance of intercept and slope.')),
  scatter: z
    .number()
    .nullable()
    .describe(
      'Distances of the points from the line in their e.s.d., root mean square; far above 1: anisotropic.',
    ),
  lines: z.array(breadthLine).describe('Lines that stand alone, in order of rising angle.'),
});
export type LineBroadening = z.infer<typeof broadening>;

export const refinedPhase = z.object({
  name: z.string().describe('Name of the request, or the formula.'),
  struct_id: z.int().nullable().describe('The material of the site; null for a CIF.'),
  formula,
  space_group: z
    .string()
    .describe('Space group by the atoms of the structure; empty if it has none that was found.'),
  weight_fraction: estimate
    .nullable()
    .describe('Share of the crystalline phases by weight, 0 to 1; null for Le Bail.'),
  absolute_weight_fraction: estimate
    .nullable()
    .describe('Share of the whole sample by weight; only with an internal standard.'),
  scale: estimate.nullable().describe('Scale S of S·m|F|²; null for Le Bail.'),
  cell: refinedCell,
  density: z.number().meta(unit('g/cm³', 'Density of the refined cell.')),
  r_bragg: z.number().describe('R_Bragg as a share: 0.05 is 5 %.'),
  texture: z
    .object({
      axis: z.array(z.number()).describe('Axis [h, k, l].'),
      r: estimate.describe('March parameter: 1 none, below 1 plates, above 1 needles.'),
    })
    .nullable()
    .describe('Preferred orientation; null: not refined.'),
  overall_b: estimate.meta(
    unit('Å²', 'Displacement parameter B of all atoms of the phase, added to those of the elements.'),
  ),
  size: estimate
    .nullable()
    .meta(
      unit(
        'nm',
        'Apparent size from X by full widths, K = 0.9; null: not seen, or the instrument is not calibrated.',
      ),
    ),
  strain: estimate
    .nullable()
    .describe(
      'Apparent strain Δd/d from Y by full widths; null: not seen, or the instrument is not calibrated.',
    ),
  broadening: broadening.describe('Size and strain by integral breadths of single lines (Williamson–Hall).'),
  microabsorption: z
    .number()
    .nullable()
    .describe("Brindley's factor of the correction for microabsorption; null: not corrected."),
  two_theta: z.array(z.number()).meta(unit('°', 'Angles of the reflections, rising.')),
  d: z.array(z.number()).meta(unit('Å', 'Their spacings.')),
  hkl: z.array(z.string()).describe('Indices hkl of the reflections, separated by spaces.'),
  intensity: z.array(z.number()).describe('Calculated integrated intensities of the reflections.'),
});
export type RefinedPhase = z.infer<typeof refinedPhase>;

export const refineNotice = z.object({
  code: z.string().describe('Code of the notice, for programs: `texture`, `correlated` …'),
  message: z.string().describe('Text for people, in the language of Accept-Language.'),
});

export const refineResult = outcome.extend({
  method: z.enum(['rietveld', 'le-bail']).describe('Method that was used.'),
  verdict: z
    .enum(['good', 'usable', 'poor'])
    .describe('Whether the model describes the pattern; the rule is in the description of the method.'),
  statement: z.string().describe('The verdict as text: how far the numbers can be trusted.'),
  notices: z
    .array(refineNotice)
    .describe('Warnings and hints that belong to the numbers, most important first.'),
  two_theta: z.array(z.number()).meta(unit('°', 'Diffraction angle 2θ, ascending.')),
  measured: z.array(z.number()).describe('Measured intensities.'),
  calculated: z.array(z.number()).describe('Calculated intensities with the background.'),
  background: z.array(z.number()).describe('The background.'),
  excluded: z.array(z.array(z.number())).meta(unit('°', 'Regions that did not count.')),
  phases: z.array(refinedPhase).describe('The phases, in the order of the request.'),
  r_wp: z.number().describe('Weighted profile R factor as a share: 0.1 is 10 %.'),
  r_exp: z.number().describe('Expected R factor as a share.'),
  r_p: z.number().describe('Profile R factor as a share.'),
  r_wp_peaks: z.number().describe('R_wp without the background, as a share.'),
  chi_squared: z.number().describe('(R_wp / R_exp)².'),
  esd_factor: z.number().describe('Factor of Bérar and Lelann that all standard deviations contain.'),
  zero: estimate.nullable().meta(unit('°', 'Zero of the goniometer; null: not refined.')),
  displacement: estimate
    .nullable()
    .meta(unit('°', 'Displacement of the sample: the shift of 2θ divided by cos θ; null: not refined.')),
  displacement_mm: estimate
    .nullable()
    .meta(
      unit(
        'mm',
        'Displacement of the sample, positive if it is too low, so that lines are at lower angles; only with the radius of the goniometer.',
      ),
    ),
  amorphous_fraction: estimate
    .nullable()
    .describe('Share of the sample that is in no phase; only with an internal standard.'),
  instrument: widths.describe('Line widths as refined; a later refinement may start from them.'),
  parameters: z
    .array(
      z.object({
        name: z.string().describe('Name of the parameter.'),
        phase: z.int().nullable().describe('Position of its phase; null: common to all.'),
        value: z.number().describe('The value.'),
        esd: z.number().nullable().describe(ESD),
      }),
    )
    .describe('All parameters.'),
  wavelengths: z.array(radiationLine).describe('Lines of the radiation that were used.'),
  points: z.int().describe('Points that count.'),
  cycles: z.int().describe('Cycles of least squares.'),
  converged: z.boolean().describe('Whether the last cycle changed nothing of note.'),
  seconds: z.number().meta(unit('s', 'Duration of the refinement.')),
  waited_seconds: z.number().meta(unit('s', 'Waiting time for other matches and refinements.')),
});
export type RefineResult = z.infer<typeof refineResult>;

/** Waits, reports progress and can be cancelled like `xrd_match`. */
export const xrdRefine = defineCall(address.xrdRefine, {
  summary: 'Refines a measured pattern with up to five known phases: weight fractions, cells, R factors',
  maxBodyBytes: MAX_PATTERN_BODY_BYTES + MAX_PHASES * MAX_CIF_BYTES,
  request: refineRequest,
  answer: refineResult,
  refusals: [
    ...DATA_REFUSALS,
    ...RADIATION_REFUSALS,
    'xrd.match-id-in-use',
    'xrd.cancelled',
    'xrd.refine.phase',
    'xrd.refine.cif',
    'xrd.refine.sigmas',
    'xrd.refine.range',
    'xrd.refine.background-removed',
    'xrd.refine.impossible',
    'material.no-scattering-factor',
    'material.no-scattering-length',
    'material.no-pattern',
  ],
  faults: ['material.not-found', 'xrd.queue-full'],
  calculates: true,
});
