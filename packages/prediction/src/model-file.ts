/** Content of `model.json`, which describes the weights; written by workshop/generators/models. */

/**
 * Classes of compounds with a stated coverage. A compound belongs to the first class whose rule applies. The
 * calibration uses the same rules.
 */
export const COMPOUND_CLASSES = [
  'oxide',
  'halide',
  'chalcogenide',
  'intermetallic',
  'f-element',
  'other',
] as const;
export type CompoundClass = (typeof COMPOUND_CLASSES)[number];

const split = (symbols: string): ReadonlySet<string> => new Set(symbols.split(' '));
const HALOGENS = split('F Cl Br I');
const CHALCOGENS = split('S Se Te');
const NON_METALS = split('H B C N O F Si P S Cl As Se Br Te I He Ne Ar Kr Xe');
const F_ELEMENTS = split('Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Th Pa U Np Pu Am Cm');

/** The class of a compound of these elements. */
export function compoundClass(elements: readonly string[]): CompoundClass {
  const some = (set: ReadonlySet<string>): boolean => elements.some((element) => set.has(element));
  if (some(F_ELEMENTS)) return 'f-element';
  if (elements.includes('O')) return 'oxide';
  if (some(HALOGENS)) return 'halide';
  if (some(CHALCOGENS)) return 'chalcogenide';
  return some(NON_METALS) ? 'other' : 'intermetallic';
}

export const MODEL_FORMAT = 2;

/** Data that turn the members' outputs into values with intervals. */
export interface Calibration {
  /** eV/atom, by atomic number. */
  readonly elementReferences: readonly number[];
  /** Number of training rows that contain an element, by atomic number. */
  readonly elementCounts: readonly number[];
  readonly domain: {
    readonly mean: readonly number[];
    /** Matrix of components × channels, row by row. */
    readonly components: readonly number[];
    /** Distances that 25, 90 and 99 % of the calibration rows do not exceed. */
    readonly quantiles: readonly [number, number, number];
    /** `id formula` of the training rows whose latent positions are stored. */
    readonly known: readonly string[];
    /**
     * For each atomic number the smallest and largest distance of a nearest neighbour (Å) and the smallest and largest
     * neighbour density of training atoms; absent for compositions.
     */
    readonly surroundings?: readonly number[];
  };
  readonly interval: {
    readonly coverage: number;
    readonly centre: readonly number[];
    readonly width: readonly number[];
    readonly hidden: { readonly weight: readonly number[]; readonly bias: readonly number[] };
    readonly output: { readonly weight: readonly number[]; readonly bias: readonly number[] };
    readonly thirds: readonly [number, number];
    readonly factors: Readonly<Record<CompoundClass, readonly [number, number, number]>>;
    /** Quantiles 0, 0.5 … 100 % of (predicted − true) / expected error. */
    readonly signedScores: readonly number[];
    readonly gapEdges: readonly number[];
    /**
     * Half widths in eV, either by bin of the logit, or by class. The list of a class contains one width per logit bin
     * for gaps below the first size, then the width for an uncertain gap, then one width per size.
     */
    readonly gapHalfWidths: readonly number[] | Readonly<Record<CompoundClass, readonly number[]>>;
    /** Boundaries of the size bins in eV, if the widths are by class. */
    readonly gapSizes?: readonly number[];
    readonly measuredGapHalfWidths?: readonly number[];
    readonly log10BulkModulus: number;
    readonly log10ShearModulus: number;
  };
  /**
   * Corrects a probability: `told` follows from the errors alone; `found` is the share of calibration rows with this
   * probability that are within the margin of the hull.
   */
  readonly chances: { readonly told: readonly number[]; readonly found: readonly number[] };
}

export interface ModelManifest extends Calibration {
  readonly format: number;
  /** SHA-256 of `model.bin`. */
  readonly sha256: string;
  readonly architecture: {
    readonly channels: number;
    readonly layers: number;
    readonly members: number;
    /** Å */
    readonly radius: number;
    readonly tableStep: number;
    readonly messageScale: number;
  };
  readonly tensors: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly offset: number;
  }[];
  /** Mean and standard deviation used to scale the heads of the moduli. */
  readonly scales: {
    readonly log10BulkModulus: readonly [number, number];
    readonly log10ShearModulus: readonly [number, number];
  };
  /**
   * The model for formulas without a structure; `neighbours` is the number of neighbours drawn from the composition.
   */
  readonly composition: Calibration & { readonly members: number; readonly neighbours: number };
  readonly training: Readonly<Record<string, unknown>>;
  readonly metrics: ModelMetrics;
}

/** Errors on rows of held-out chemical systems. The file has more figures than are read here. */
export interface ErrorFigures {
  readonly n: number;
  readonly mae: number;
}

export interface CoverageFigures extends ErrorFigures {
  readonly coverage: number;
  /** Standard error of the coverage, allowing for the correlation of crystals of one system. */
  readonly coverageError: number;
  readonly systems: number;
  readonly meanHalfWidth: number;
}

export interface EnergyFigures {
  readonly test: CoverageFigures;
  readonly byClass: Readonly<Record<CompoundClass, CoverageFigures>>;
}

export interface GapFigures extends ErrorFigures {
  readonly coverage: number;
}

export interface ModulusFigures {
  readonly n: number;
  readonly maeLog10: number;
  readonly coverage: number;
}

/**
 * Classification within a margin of the hull, at the observed share of positives. Thresholds are chosen on
 * calibration rows.
 */
export interface MarginFigures {
  readonly prevalence: number;
  readonly f1OfAllYes: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** For each tenth of the scale, the mean predicted probability and the observed share. */
  readonly reliability: readonly { readonly told: number; readonly found: number; readonly n: number }[];
}

/** Figures for distances to the hull that all other materials form with their true energies. */
export interface StabilityFigures {
  readonly n: number;
  readonly within25: MarginFigures;
  readonly within50: MarginFigures;
}

export interface TargetFigures {
  readonly stability: StabilityFigures;
  readonly formationEnergy: EnergyFigures;
  readonly bandGap: GapFigures;
  readonly bulkModulus: ModulusFigures;
  readonly shearModulus: ModulusFigures;
}

export interface ModelMetrics extends TargetFigures {
  readonly composition: TargetFigures & { readonly measuredBandGap: GapFigures };
}
