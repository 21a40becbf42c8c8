/** Input and result of a powder refinement. Plain data that survives structured cloning and JSON. */
import type { Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { Probe } from '../radiation.ts';

/** Most phases of one refinement. */
export const MAX_REFINED_PHASES = 5;

/** Fewest measured points outside the excluded regions. */
export const MIN_REFINED_POINTS = 50;

/** Longer patterns are averaged over groups of neighbours until they are this short. */
export const MAX_REFINED_POINTS = 60_000;

/** One line of the radiation: Kα1 and Kα2 of a tube, or a single wavelength. */
export interface RadiationLine {
  /** Å */
  readonly wavelength: number;
  /** Relative intensity; Kα1 1 and Kα2 0.5 for a tube. */
  readonly weight: number;
}

/**
 * Widths of a diffractometer in degrees of 2θ (full widths at half maximum), Thompson–Cox–Hastings convention:
 * Gaussian H_G² = U tan²θ + V tanθ + W, Lorentzian H_L = X/cosθ + Y tanθ.
 */
export interface InstrumentProfile {
  /** deg² */
  readonly u: number;
  readonly v: number;
  readonly w: number;
  /** deg */
  readonly x: number;
  readonly y: number;
  /** Axial divergence, half heights of sample and detector slit over the radius (Finger, Cox and Jephcoat). */
  readonly sampleOverRadius?: number | undefined;
  readonly detectorOverRadius?: number | undefined;
}

/** `axis` is refined for texture, 'automatic' tries low-index axes and keeps one only if it describes the pattern better. */
export type TextureChoice = 'none' | 'automatic' | { readonly axis: Vec3 };

export interface RefinementPhase {
  /** Name shown in results. */
  readonly label: string;
  /** Cell and atoms to start from. Le Bail needs only the cell. */
  readonly structure: Structure;
  /**
   * Rotations W of the space group in the basis of the cell (x' = W x with a column x); they constrain the cell.
   * Without them the symmetry of the metric is used.
   */
  readonly symmetryRotations?: readonly Mat3[] | undefined;
  /** Default: `options.refine.texture`. */
  readonly texture?: TextureChoice | undefined;
  /** Mean particle diameter in µm: the fractions are corrected for microabsorption (Brindley) if every phase has one. */
  readonly particleDiameterUm?: number | undefined;
  /** Weighed share (0…1) of this phase in the measured mixture: it becomes the internal standard. One phase at most. */
  readonly standardFraction?: number | undefined;
}

/** Parameters that are refined besides scales and background. */
export interface RefinedKinds {
  readonly cell: boolean;
  /** U, V, W (common) and X, Y (per phase). */
  readonly profile: boolean;
  /** Overall isotropic displacement parameter B of every phase, added to those of the elements. */
  readonly overallB: boolean;
  readonly texture: TextureChoice;
  /** One common axial divergence. */
  readonly axialDivergence: boolean;
}

export interface RefinementOptions {
  readonly method: 'rietveld' | 'le-bail';
  /** 'automatic': chosen from the data, in stages. */
  readonly refine: 'automatic' | RefinedKinds;
  /** Angular error that is refined, never both; default displacement, for neutrons (a cylinder of powder) zero. */
  readonly shift?: 'displacement' | 'zero' | 'none' | undefined;
  /** Terms of the Chebyshev background, 1 to 24; default from the range. */
  readonly backgroundTerms?: number | undefined;
  /** Broad Gaussian humps of amorphous parts that are added to the background, at most 3. Default 0. */
  readonly humps?: number | undefined;
  /** Widths to start from: those of an instrument, or estimated from the pattern. Default 'estimate'. */
  readonly profile?: 'estimate' | InstrumentProfileId | InstrumentProfile | undefined;
  /** U, V and W stay as given: the profile is that of a calibrated instrument. Default false. */
  readonly profileIsCalibrated?: boolean | undefined;
  /** Isotropic B (Å²) by element; an absent element has `DEFAULT_B`. */
  readonly elementB?: Readonly<Record<string, number>> | undefined;
  /** Anomalous dispersion f′ and f″ for the first wavelength; default true where the table has the wavelength. */
  readonly anomalous?: boolean | undefined;
  /** Cycles of least squares in all stages together; default 80. */
  readonly maxCycles?: number | undefined;
}

/** Names of the instrument profiles in `INSTRUMENT_PROFILES`. */
export type InstrumentProfileId = 'laboratory' | 'laboratory-sharp' | 'laboratory-broad' | 'synchrotron';

export interface RefinementRequest {
  readonly pattern: {
    /** Degrees, rising. */
    readonly twoThetaDeg: ArrayLike<number>;
    readonly intensities: ArrayLike<number>;
    /** Standard deviations; without them counting statistics are assumed. */
    readonly sigmas?: ArrayLike<number> | undefined;
  };
  /** At most three. The first is the one of tick positions. */
  readonly radiation: readonly RadiationLine[];
  /** Default X-rays. Neutrons have no polarisation, no anomalous dispersion and no microabsorption. */
  readonly probe?: Probe | undefined;
  /** 2θ of the monochromator in degrees; graphite 26.6 for Cu Kα. Absent: no monochromator. */
  readonly monochromatorTwoThetaDeg?: number | undefined;
  /** K of the polarisation 1 + K cos² 2θ, in place of the monochromator's: 0 for a synchrotron. */
  readonly polarisationRatio?: number | undefined;
  /** The divergence slit opens with the angle and keeps the irradiated length. Default false: a fixed slit. */
  readonly isSlitVariable?: boolean | undefined;
  /** μt of a thin flat sample, absorption coefficient times thickness, without unit. Default: a thick sample. */
  readonly sampleThickness?: number | undefined;
  /** Goniometer radius in mm: the displacement is then given in mm, too. */
  readonly goniometerRadiusMm?: number | undefined;
  readonly phases: readonly RefinementPhase[];
  /** Regions left out, degrees of 2θ. */
  readonly excluded?: readonly (readonly [number, number])[] | undefined;
  readonly options: RefinementOptions;
}

export type RefinementStage =
  | 'prepare'
  | 'scale-background'
  | 'shift'
  | 'cell'
  | 'profile'
  | 'texture'
  | 'final';

export interface RefinementProgress {
  readonly stage: RefinementStage;
  /** Cycle of least squares on the whole pattern, counted over all stages. */
  readonly cycle: number;
  readonly maxCycles: number;
  /** Share (0.1 is 10 %). */
  readonly rwp: number;
}

export interface RefinementHooks {
  readonly progress?: (progress: RefinementProgress) => void;
  /** Asked before every cycle; true ends the refinement with the error `cancelled`. */
  readonly cancelled?: () => boolean;
  /** Asked before every cycle; true ends it with what has been reached and the notice `time-limit`. */
  readonly outOfTime?: () => boolean;
}

/** A number with its estimated standard deviation; undefined when it was not refined. */
export interface Estimate {
  readonly value: number;
  readonly esd?: number | undefined;
}

export interface RefinedCell {
  /** Å and degrees. */
  readonly a: Estimate;
  readonly b: Estimate;
  readonly c: Estimate;
  readonly alpha: Estimate;
  readonly beta: Estimate;
  readonly gamma: Estimate;
  /** Å³ */
  readonly volume: Estimate;
}

/** Reflections of a phase as parallel lists, in order of rising angle. */
export interface ReflectionTicks {
  /** Angle of the first wavelength with the refined shift, degrees. */
  readonly twoThetaDeg: readonly number[];
  readonly dSpacing: readonly number[];
  readonly hkl: readonly (readonly [number, number, number])[];
  /** Calculated integrated intensity, intensity × degrees, all wavelengths. */
  readonly intensity: readonly number[];
  /** Integrated intensity as the pattern shows it, shared among overlapping lines by the calculated ones. */
  readonly observedIntensity: readonly number[];
}

/** Integral breadth of a line in degrees of 2θ. */
export interface LineBreadth {
  readonly twoThetaDeg: number;
  readonly hkl: Vec3;
  /** The whole breadth. */
  readonly breadthDeg: Estimate;
  /** Breadth of the instrument there, and what the sample adds to its Lorentzian part; only if it is calibrated. */
  readonly instrumentDeg?: number | undefined;
  readonly sampleDeg?: Estimate | undefined;
}

/** Size and strain of a phase by β cos θ = λ / L + 4 ε sin θ. A limit stands for what does not rise above zero. */
export interface Broadening {
  /**
   * `instrument-only`: no line is broader than the instrument makes it. `uncalibrated`: breadths contain the
   * instrument's, so they give limits. `few-lines`: fewer than four lines stand alone.
   */
  readonly status: 'broadened' | 'instrument-only' | 'uncalibrated' | 'few-lines';
  readonly lines: readonly LineBreadth[];
  /** λ / L and ε of the straight line, and their covariance. */
  readonly intercept?: Estimate | undefined;
  readonly slope?: Estimate | undefined;
  readonly covariance?: number | undefined;
  /** Root mean square of the distances of the points from it, in e.s.d.; far above 1: sizes or strains depend on hkl. */
  readonly scatter?: number | undefined;
  /** Volume-weighted column length, nm. */
  readonly sizeNm?: Estimate | undefined;
  readonly sizeAtLeastNm?: number | undefined;
  readonly strain?: Estimate | undefined;
  readonly strainAtMost?: number | undefined;
}

export interface RefinedPhase {
  readonly label: string;
  readonly cell: RefinedCell;
  /** Largest relative change of a cell edge from the start. */
  readonly cellChange: number;
  /** Scale S of S·m|F|²; undefined for Le Bail. */
  readonly scale?: Estimate | undefined;
  /** Share of the crystalline phases by weight (0…1), by S·ZM·V; undefined for Le Bail. */
  readonly weightFraction?: Estimate | undefined;
  /** Share of the whole mixture by weight; only with an internal standard. */
  readonly absoluteWeightFraction?: Estimate | undefined;
  /** Brindley's factor; only when microabsorption was corrected. */
  readonly microabsorption?: number | undefined;
  /** March–Dollase: r below 1 are plates, above 1 needles. */
  readonly texture?: { readonly axis: Vec3; readonly r: Estimate } | undefined;
  /** Lorentzian widths X (size) and Y (strain) in degrees. */
  readonly profile: { readonly x: Estimate; readonly y: Estimate };
  /** Å², added to those of the elements. */
  readonly overallB: Estimate;
  /**
   * Apparent crystallite size from X without the instrument's, nm, by full widths with K = 0.9; undefined when there is
   * no broadening or the instrument is not calibrated.
   */
  readonly sizeNm?: Estimate | undefined;
  /** Apparent microstrain Δd/d from Y without the instrument's, by full widths. */
  readonly strain?: Estimate | undefined;
  /** Size and strain by the integral breadths of single lines (Williamson and Hall). */
  readonly broadening: Broadening;
  /** g/cm³, with the refined cell and the formula of the structure. */
  readonly density: number;
  readonly rBragg: number;
  readonly ticks: ReflectionTicks;
}

export interface RefinedParameter {
  /** `displacement`, `U`, `background 0`, `scale`, `a*²`, … */
  readonly name: string;
  /** Index of the phase, undefined for a common one. */
  readonly phase?: number | undefined;
  readonly value: number;
  readonly esd?: number | undefined;
}

/** Warnings and hints that belong to the numbers. Texts are made from code and parameters. */
export type RefinementNotice =
  /** Fewer cycles than convergence needs. */
  | { readonly code: 'not-converged'; readonly cycles: number }
  | { readonly code: 'time-limit'; readonly cycles: number }
  /** The pattern has no peaks that stand out of its noise, or the phases explain none of them. */
  | { readonly code: 'no-crystalline-signal' }
  /** The scale is below three e.s.d. or at zero. */
  | { readonly code: 'phase-not-found'; readonly phase: number }
  /** Two phases have the same lines: their scales cannot be told apart. */
  | { readonly code: 'phases-share-lines'; readonly phases: readonly [number, number] }
  | {
      readonly code: 'correlated';
      readonly first: string;
      readonly second: string;
      readonly coefficient: number;
    }
  /** Parameters that the pattern does not determine and that stayed as they were. */
  | { readonly code: 'undetermined'; readonly parameters: readonly string[] }
  | { readonly code: 'at-limit'; readonly parameter: string; readonly value: number }
  | { readonly code: 'texture'; readonly phase: number; readonly axis: Vec3; readonly r: number }
  /** The cell moved by more than a per cent: maybe an isotype or a solid solution; the formula is not refined. */
  | { readonly code: 'isotype-possible'; readonly phase: number; readonly change: number }
  /** Fractions hold for crystalline phases only, and no internal standard was named. */
  | { readonly code: 'amorphous-not-seen' }
  /** Share of the mixture that no phase accounts for, from the internal standard. */
  | { readonly code: 'not-accounted-for'; readonly fraction: number }
  /** The absolute fractions exceed the whole: the standard's share or a structure is wrong. */
  | { readonly code: 'standard-contradicts'; readonly total: number }
  /** Linear absorption coefficients (1/cm) differ so much that grains of a few µm spoil the fractions. */
  | { readonly code: 'microabsorption-possible'; readonly phase: number; readonly contrast: number }
  | { readonly code: 'negative-intensities'; readonly points: number }
  | { readonly code: 'saturated'; readonly points: number; readonly level: number }
  /** Intensities are no counts: e.s.d. follow from the fit alone, Rexp and χ² say little. */
  | { readonly code: 'not-counts' }
  | { readonly code: 'points-averaged'; readonly group: number }
  | { readonly code: 'no-anomalous'; readonly wavelength: number }
  /** Hydrogen scatters neutrons, and the structure may stand for a sample with deuterium. */
  | { readonly code: 'natural-hydrogen'; readonly phase: number }
  /** Widths contain the instrument's because it is not calibrated: sizes and strains are limits. */
  | { readonly code: 'size-uncalibrated' };

export interface RefinementResult {
  readonly method: 'rietveld' | 'le-bail';
  /** Angles that were used: those of the pattern unless it was averaged. Excluded points are included. */
  readonly twoThetaDeg: readonly number[];
  readonly observed: readonly number[];
  /** With background. */
  readonly calculated: readonly number[];
  readonly background: readonly number[];
  /** Observed − calculated. */
  readonly difference: readonly number[];
  /** 1 for a point that counts, 0 for one that is excluded. */
  readonly used: readonly number[];
  readonly phases: readonly RefinedPhase[];
  /** Shares (0.1 is 10 %). */
  readonly rwp: number;
  readonly rp: number;
  readonly rexp: number;
  /** Rwp without the background in the denominator. */
  readonly rwpPeaks: number;
  /** (Rwp / Rexp)² */
  readonly chiSquared: number;
  /** Factor of serial correlation (Bérar and Lelann 1991) that all e.s.d. contain. */
  readonly berarFactor: number;
  /** Degrees; the one that was refined. */
  readonly zeroDeg?: Estimate | undefined;
  /** Shift = value × cos θ, degrees. */
  readonly displacementDeg?: Estimate | undefined;
  /** Positive: the sample lies below the plane of the goniometer. Only with the radius. */
  readonly displacementMm?: Estimate | undefined;
  /**
   * Common widths as refined; a later refinement may start from them. With a single phase X and Y are its own: those
   * of the instrument if it was a standard without broadening.
   */
  readonly profile: InstrumentProfile;
  /** Share of the mixture that is in no phase; only with an internal standard. */
  readonly amorphousFraction?: Estimate | undefined;
  readonly parameters: readonly RefinedParameter[];
  readonly notices: readonly RefinementNotice[];
  readonly cycles: number;
  readonly converged: boolean;
  /** Points and refined parameters. */
  readonly pointCount: number;
  readonly parameterCount: number;
}
