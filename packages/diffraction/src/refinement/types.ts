/** Input and result of a powder refinement. Plain data that survives structured cloning and JSON. */
import type { Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import type { Probe } from '../radiation.ts';

/** Maximum number of phases in one refinement. */
export const MAX_REFINED_PHASES = 5;

/** Minimum number of measured points outside the excluded regions. */
export const MIN_REFINED_POINTS = 50;

/** Patterns with more points are averaged over groups of neighbouring points. */
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
  /**
   * Axial divergence: half height of the sample and of the detector slit, each over the radius (Finger, Cox and
   * Jephcoat).
   */
  readonly sampleOverRadius?: number | undefined;
  readonly detectorOverRadius?: number | undefined;
}

/**
 * Texture of a phase: with `axis` its March parameter is refined; 'automatic' tries low-index axes and keeps
 * one only if it improves the fit.
 */
export type TextureChoice = 'none' | 'automatic' | { readonly axis: Vec3 };

export interface RefinementPhase {
  /** Name shown in results. */
  readonly label: string;
  /** Starting cell, and the atoms. Le Bail needs only the cell. */
  readonly structure: Structure;
  /** Relative change of the stored cell with which the starting cell was made; default 0. */
  readonly strain?: number | undefined;
  /**
   * Rotations W of the space group in the basis of the cell (x' = W x with a column x); they constrain the cell.
   * Without them the symmetry of the metric is used.
   */
  readonly symmetryRotations?: readonly Mat3[] | undefined;
  /** Default: `options.refine.texture`. */
  readonly texture?: TextureChoice | undefined;
  /**
   * Mean particle diameter in µm. If every phase has one, the fractions are corrected for microabsorption
   * (Brindley).
   */
  readonly particleDiameterUm?: number | undefined;
  /**
   * Known weight fraction (0…1) of this phase in the measured mixture, which makes it the internal standard. At
   * most one phase.
   */
  readonly standardFraction?: number | undefined;
}

/** Kinds of parameters that are refined in addition to scales and background. */
export interface RefinedKinds {
  readonly cell: boolean;
  /** U, V, W (common to all phases) and X, Y (per phase). */
  readonly profile: boolean;
  /** Overall isotropic displacement parameter B of every phase, added to the B of each element. */
  readonly overallB: boolean;
  readonly texture: TextureChoice;
  /** Axial divergence, common to all phases. */
  readonly axialDivergence: boolean;
}

export interface RefinementOptions {
  readonly method: 'rietveld' | 'le-bail';
  /** 'automatic' chooses the parameters from the data, in stages. */
  readonly refine: 'automatic' | RefinedKinds;
  /**
   * Which angular error is refined; both cannot be refined together. Default: displacement of a flat sample; for
   * neutrons and a synchrotron (a cylinder of powder) the zero shift.
   */
  readonly shift?: 'displacement' | 'zero' | 'none' | undefined;
  /** Number of terms of the Chebyshev background, 1 to 24; the default depends on the range. */
  readonly backgroundTerms?: number | undefined;
  /** Number of broad Gaussian humps added to the background for amorphous parts, at most 3. Default 0. */
  readonly humps?: number | undefined;
  /** Starting widths: those of an instrument, or estimated from the pattern. Default 'estimate'. */
  readonly profile?: 'estimate' | InstrumentProfileId | InstrumentProfile | undefined;
  /** Whether the profile is that of a calibrated instrument: U, V and W are then fixed. Default false. */
  readonly profileIsCalibrated?: boolean | undefined;
  /** Isotropic B (Å²) by element; elements that are not listed have `DEFAULT_B`. */
  readonly elementB?: Readonly<Record<string, number>> | undefined;
  /** Anomalous dispersion f′ and f″ for the first wavelength; default true where the table has the wavelength. */
  readonly anomalous?: boolean | undefined;
  /** Limit on the least-squares cycles of all stages together; default 150. */
  readonly maxCycles?: number | undefined;
}

/** Names of the instrument profiles in `INSTRUMENT_PROFILES`. */
export type InstrumentProfileId = 'laboratory' | 'laboratory-sharp' | 'laboratory-broad' | 'synchrotron';

export interface RefinementRequest {
  readonly pattern: {
    /** Degrees, rising. */
    readonly twoThetaDeg: ArrayLike<number>;
    readonly intensities: ArrayLike<number>;
    /** Standard deviations of the intensities; by default those of counting statistics. */
    readonly sigmas?: ArrayLike<number> | undefined;
  };
  /** At most three wavelengths. Listed reflection angles refer to the first one. */
  readonly radiation: readonly RadiationLine[];
  /**
   * Default X-rays. For neutrons there is no polarisation, anomalous dispersion or microabsorption correction.
   */
  readonly probe?: Probe | undefined;
  /** 2θ of the monochromator in degrees; 26.6 for graphite and Cu Kα. Default: none. */
  readonly monochromatorTwoThetaDeg?: number | undefined;
  /**
   * K of the polarisation 1 + K cos² 2θ. Default: that of the monochromator; 0 for a synchrotron (its profile, or a
   * single wavelength that no tube emits); otherwise 1.
   */
  readonly polarisationRatio?: number | undefined;
  /**
   * Whether the divergence slit opens with the angle, so that the irradiated length is constant. Default: a
   * fixed slit.
   */
  readonly isSlitVariable?: boolean | undefined;
  /**
   * μt of a thin flat sample: absorption coefficient times thickness, dimensionless. Default: a thick sample.
   */
  readonly sampleThickness?: number | undefined;
  /** Goniometer radius in mm. If it is given, the displacement is also reported in mm. */
  readonly goniometerRadiusMm?: number | undefined;
  readonly phases: readonly RefinementPhase[];
  /** Excluded regions, degrees of 2θ. */
  readonly excluded?: readonly (readonly [number, number])[] | undefined;
  readonly options: RefinementOptions;
}

export interface RefinementProgress {
  /** Number of least-squares cycles on the whole pattern so far, over all stages. */
  readonly cycle: number;
  readonly maxCycles: number;
}

export interface RefinementHooks {
  readonly progress?: (progress: RefinementProgress) => void;
  /** Called before every cycle; returning true ends the refinement with the error `cancelled`. */
  readonly cancelled?: () => boolean;
  /**
   * Called before every cycle; returning true ends the refinement with the current values and the notice
   * `time-limit`.
   */
  readonly outOfTime?: () => boolean;
}

/** A number with its estimated standard deviation, which is undefined if the number was not refined. */
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
  /** Angle for the first wavelength, including the refined shift, degrees. */
  readonly twoThetaDeg: readonly number[];
  readonly dSpacing: readonly number[];
  readonly hkl: readonly (readonly [number, number, number])[];
  /** Calculated integrated intensity, summed over all wavelengths, intensity × degrees. */
  readonly intensity: readonly number[];
}

/** Integral breadth of a line in degrees of 2θ. */
export interface LineBreadth {
  readonly twoThetaDeg: number;
  readonly hkl: Vec3;
  /** Total breadth, including that of the instrument. */
  readonly breadthDeg: Estimate;
  /**
   * Breadth of the instrument at this angle, and what the sample adds to its Lorentzian part; only if the
   * instrument is calibrated.
   */
  readonly instrumentDeg?: number | undefined;
  readonly sampleDeg?: Estimate | undefined;
}

/**
 * Size and strain of a phase by β cos θ = λ / L + 4 ε sin θ. If one is not significantly above zero, a limit is
 * given instead.
 */
export interface Broadening {
  /**
   * `instrument-only`: no line is broader than that of the instrument. `uncalibrated`: breadths include the
   * unknown breadth of the instrument, so only limits are given. `few-lines`: fewer than four isolated lines.
   */
  readonly status: 'broadened' | 'instrument-only' | 'uncalibrated' | 'few-lines';
  readonly lines: readonly LineBreadth[];
  /** λ / L (intercept) and ε (slope) of the straight line, and their covariance. */
  readonly intercept?: Estimate | undefined;
  readonly slope?: Estimate | undefined;
  readonly covariance?: number | undefined;
  /**
   * Root mean square distance of the points from the line, in e.s.d. A value far above 1 means that size or
   * strain depends on hkl.
   */
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
  /** Largest relative change of a cell edge from its stored value. */
  readonly cellChange: number;
  /** Scale S of S·m|F|²; undefined for Le Bail. */
  readonly scale?: Estimate | undefined;
  /** Weight fraction among the crystalline phases (0…1), from S·Z·M·V; undefined for Le Bail. */
  readonly weightFraction?: Estimate | undefined;
  /** Weight fraction in the whole mixture; only with an internal standard. */
  readonly absoluteWeightFraction?: Estimate | undefined;
  /** Brindley's factor; only if microabsorption was corrected. */
  readonly microabsorption?: number | undefined;
  /** March–Dollase parameter: r below 1 means plates, above 1 needles. */
  readonly texture?: { readonly axis: Vec3; readonly r: Estimate } | undefined;
  /** Overall B in Å², added to the B of each element. */
  readonly overallB: Estimate;
  /**
   * Apparent crystallite size in nm, from X minus the X of the instrument (full widths, K = 0.9). Undefined
   * if there is no broadening or the instrument is not calibrated.
   */
  readonly sizeNm?: Estimate | undefined;
  /** Apparent microstrain Δd/d, from Y minus the Y of the instrument (full widths). */
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
  /** Index of the phase; undefined for a parameter common to all phases. */
  readonly phase?: number | undefined;
  readonly value: number;
  readonly esd?: number | undefined;
}

/** Warnings and hints about the results. The texts shown are made from code and parameters. */
export type RefinementNotice =
  /** The refinement stopped before it converged. */
  | { readonly code: 'not-converged'; readonly cycles: number }
  | { readonly code: 'time-limit'; readonly cycles: number }
  /** The pattern has no peaks significantly above its noise, or the phases explain none of its peaks. */
  | { readonly code: 'no-crystalline-signal' }
  /** The scale of the phase is below three e.s.d. or at zero. */
  | { readonly code: 'phase-not-found'; readonly phase: number }
  /** Two phases have the same lines, so their scales cannot be determined separately. */
  | { readonly code: 'phases-share-lines'; readonly phases: readonly [number, number] }
  | {
      readonly code: 'correlated';
      readonly first: string;
      readonly second: string;
      readonly coefficient: number;
    }
  /** Parameters that the pattern does not determine; they kept their starting values. */
  | { readonly code: 'undetermined'; readonly parameters: readonly string[] }
  | { readonly code: 'at-limit'; readonly parameter: string; readonly value: number }
  | { readonly code: 'texture'; readonly phase: number; readonly axis: Vec3; readonly r: number }
  /**
   * A cell edge changed by more than `ISOTYPE_CHANGE`, so the phase may be an isotype or a solid solution;
   * the formula is not refined.
   */
  | { readonly code: 'isotype-possible'; readonly phase: number; readonly change: number }
  /** The fractions refer to the crystalline phases only, because no internal standard was given. */
  | { readonly code: 'amorphous-not-seen' }
  /** Peaks, strongest first, and their share of the intensity above the background, that are in none of the phases. */
  | {
      readonly code: 'unexplained-intensity';
      readonly share: number;
      readonly twoThetaDeg: readonly number[];
    }
  /** Share of the mixture that belongs to none of the phases, from the internal standard. */
  | { readonly code: 'not-accounted-for'; readonly fraction: number }
  /** The absolute fractions exceed 1: the share of the standard or a structure is wrong. */
  | { readonly code: 'standard-contradicts'; readonly total: number }
  /**
   * The linear absorption coefficients (1/cm) differ so much that grains of a few µm make the fractions wrong.
   */
  | {
      readonly code: 'microabsorption-possible';
      readonly phase: number;
      /** μ − μ̄, 1/cm */
      readonly contrast: number;
      /** Weight fraction of the phase if all grains had a diameter of 10 µm. */
      readonly fraction: number;
    }
  | { readonly code: 'negative-intensities'; readonly points: number }
  /** A background was subtracted and negative values were set to zero: weak lines are too weak. */
  | { readonly code: 'cut-at-zero' }
  | { readonly code: 'saturated'; readonly points: number; readonly level: number }
  /** The intensities are not counts: the e.s.d. follow from the fit alone, and Rexp and χ² mean little. */
  | { readonly code: 'not-counts' }
  | { readonly code: 'points-averaged'; readonly group: number }
  | { readonly code: 'no-anomalous'; readonly wavelength: number }
  /**
   * Hydrogen scatters neutrons, and the sample may contain deuterium instead of the hydrogen of the structure.
   */
  | { readonly code: 'natural-hydrogen'; readonly phase: number }
  /** The instrument is not calibrated, so widths include its part, and sizes and strains are limits. */
  | { readonly code: 'size-uncalibrated' };

/** R factors as fractions: 0.1 is 10 %. */
export interface Agreement {
  readonly rwp: number;
  readonly rp: number;
  readonly rexp: number;
  /** Rwp without the background in the denominator. */
  readonly rwpPeaks: number;
  /** (Rwp / Rexp)² */
  readonly chiSquared: number;
}

export interface RefinementResult extends Agreement {
  readonly method: 'rietveld' | 'le-bail';
  /**
   * Angles of the refined points: those of the pattern, unless it was averaged. Excluded points are included.
   */
  readonly twoThetaDeg: readonly number[];
  readonly observed: readonly number[];
  /** Background included. */
  readonly calculated: readonly number[];
  readonly background: readonly number[];
  /** 1 for a point used in the fit, 0 for an excluded one. */
  readonly used: readonly number[];
  readonly phases: readonly RefinedPhase[];
  /** Factor for serial correlation (Bérar and Lelann 1991); all e.s.d. include it. */
  readonly berarFactor: number;
  /** Refined angular error, degrees; only one of the two is present. */
  readonly zeroDeg?: Estimate | undefined;
  /** Shift = value × cos θ, degrees. */
  readonly displacementDeg?: Estimate | undefined;
  /** Positive if the sample lies below the plane of the goniometer axis. Only if the radius is given. */
  readonly displacementMm?: Estimate | undefined;
  /**
   * Refined widths common to all phases; a later refinement may start from them. With a single phase, X and Y include
   * its broadening. If the phase is a standard without broadening, they are the widths of the instrument.
   */
  readonly profile: InstrumentProfile;
  /** Share of the mixture that belongs to none of the phases; only with an internal standard. */
  readonly amorphousFraction?: Estimate | undefined;
  readonly parameters: readonly RefinedParameter[];
  readonly notices: readonly RefinementNotice[];
  readonly cycles: number;
  readonly converged: boolean;
  /** Number of points and of refined parameters. */
  readonly pointCount: number;
}
