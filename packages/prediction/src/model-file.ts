/** What stands in `model.json` beside the weights; written by scripts/generators/models/calibrate.py. */
import type { CompoundClass } from './compound-class.ts';

export const MODEL_FORMAT = 1;

export interface ModelManifest {
  readonly format: number;
  /** Of `model.bin`. */
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
  /** eV/atom, by atomic number. */
  readonly elementReferences: readonly number[];
  /** Rows of the training data that hold an element, by atomic number. */
  readonly elementCounts: readonly number[];
  /** Mean and deviation that the heads of the moduli were scaled with. */
  readonly scales: {
    readonly log10BulkModulus: readonly [number, number];
    readonly log10ShearModulus: readonly [number, number];
  };
  readonly domain: {
    readonly mean: readonly number[];
    /** Components × channels, row by row. */
    readonly components: readonly number[];
    /** Distances that 25, 90 and 99 % of the calibration crystals stay below. */
    readonly quantiles: readonly [number, number, number];
    /** `id formula` of the training crystals whose places are kept. */
    readonly known: readonly string[];
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
    readonly gapHalfWidths: readonly number[];
  };
  readonly training: Readonly<Record<string, unknown>>;
  readonly metrics: {
    readonly bulkModulus: { readonly halfWidthLog10: number };
    readonly shearModulus: { readonly halfWidthLog10: number };
  };
}
