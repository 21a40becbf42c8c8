/** Contents of `model.json`, which describes the weights in `model.bin`; written by workshop/generators/potential. */
import { compositionOf, type Structure } from '@unitcell/crystal';
import { findElement } from '@unitcell/elements';

export const MODEL_FORMAT = 1;

/** One tensor product of a layer: features of degree `input` times harmonics of degree `edge` give degree `output`. */
export interface TensorPath {
  readonly input: number;
  readonly edge: number;
  readonly output: number;
  readonly channels: number;
  /** Index of the first weight of this product among the layer's radial weights. */
  readonly weightOffset: number;
  /** Index of the first channel of this product among the layer's channels of degree `output`. */
  readonly channelOffset: number;
}

/** Shape of the function that fades interactions out at the cutoff. */
export type CutoffFunction =
  | { readonly kind: 'switch' /** Å */; readonly start: number }
  | { readonly kind: 'polynomial'; readonly power: number };

export interface ModelManifest {
  readonly format: number;
  readonly name: string;
  /** SHA-256 of `model.bin`, which contains little-endian float32. */
  readonly sha256: string;
  readonly licence: string;
  readonly copyright: string;
  readonly citation: string;
  /** The file that the weights were exported from. */
  readonly source: string;
  /** Å */
  readonly cutoff: number;
  readonly cutoffFunction: CutoffFunction;
  readonly maxDegree: number;
  /** Atomic numbers in the order of the rows of `embedding`, `energy.shift` and `energy.scale`. */
  readonly atomicNumbers: readonly number[];
  /** Channels by degree, before the first layer and after each layer. */
  readonly channels: readonly (readonly number[])[];
  /** Divisor of the sum over neighbours, by layer. */
  readonly denominators: readonly number[];
  /** Factor of the activation, φ(x) = factor · x / (1 + exp(−x)). */
  readonly activationFactor: number;
  readonly paths: readonly (readonly TensorPath[])[];
  /**
   * Keys are the degrees `input edge output` (`112`). Entries are [m of input, m of edge, m of output, value]; the
   * Frobenius norm is 1.
   */
  readonly coupling: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>>;
  /** `offset` counts floats; matrices are [input, output], row by row. */
  readonly tensors: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly offset: number;
  }[];
}

// The properties of a model on which the generated kernel depends: channels and tensor products of the layers, but not
// the weights.

type Shape = Pick<ModelManifest, 'channels' | 'paths'>;

const shapeOfLayer = ({ channels, paths }: Shape, layer: number): string =>
  [
    channels[layer].join(','),
    ...paths[layer].map(
      ({ input, edge, output, channels: count, channelOffset }) =>
        `${input}${edge}${output}:${count}@${channelOffset}`,
    ),
  ].join(' ');

/** The distinct shapes of layers in order of first appearance; the kernel has two functions for each shape. */
export const kernelShapes = (shape: Shape): readonly string[] => [
  ...new Set(shape.paths.map((_, layer) => shapeOfLayer(shape, layer))),
];

/** For each layer the index of its shape among the distinct shapes. */
export function layerKinds(shape: Shape): readonly number[] {
  const kinds = kernelShapes(shape);
  return shape.paths.map((_, layer) => kinds.indexOf(shapeOfLayer(shape, layer)));
}

// Which structures the included model accepts, and which differences it ignores. The weights are not needed to decide
// this.

export type OutOfScope =
  | { readonly code: 'disordered' }
  | { readonly code: 'unknown-element'; readonly element: string }
  | { readonly code: 'too-large'; readonly atoms: number };

/** The elements from hydrogen to plutonium, except polonium to radium. */
const isTrained = (atomicNumber: number): boolean =>
  atomicNumber >= 1 && atomicNumber <= 94 && !(atomicNumber >= 84 && atomicNumber <= 88);

/** Reason why the included model would refuse a structure; null if it would accept it. */
export function outOfScope(structure: Structure, mostAtoms: number): OutOfScope | null {
  const { sites } = structure;
  if (sites.some(({ species }) => species.length !== 1 || species[0].occupancy !== 1))
    return { code: 'disordered' };
  const unknown = Object.keys(compositionOf(structure)).find(
    (element) => !isTrained(findElement(element)?.number ?? 0),
  );
  if (unknown !== undefined) return { code: 'unknown-element', element: unknown };
  return sites.length > mostAtoms ? { code: 'too-large', atoms: sites.length } : null;
}

const MAGNETIC = /^(?:V|Cr|Mn|Fe|Co|Ni|Cu|Ce|Pr|Nd|Pm|Sm|Eu|Gd|Tb|Dy|Ho|Er|Tm|Yb|U|Np|Pu)$/;

/** Elements of a structure whose energies depend on a magnetic order or oxidation state that users cannot choose. */
export const averagedElements = (structure: Structure): readonly string[] =>
  Object.keys(compositionOf(structure)).filter((element) => MAGNETIC.test(element));
