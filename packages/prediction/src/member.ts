/** The arrays of one trained network and their shapes; what they do is in forward.ts. */

/** A weight matrix, row by row: `outputs` × `inputs`, with its bias where it has one. */
export interface Linear {
  readonly weight: Float32Array;
  readonly bias?: Float32Array;
  readonly inputs: number;
  readonly outputs: number;
}

/** One round of messages. */
export interface MessageLayer {
  /** Of the atom that hears and of the atom that speaks. */
  readonly hearer: Linear;
  readonly speaker: Linear;
  /** The radial filters at 0, step, 2 step …: `rows` × channels each. */
  readonly shiftTable: Float32Array;
  readonly gateTable: Float32Array;
  readonly update: Linear;
  readonly output: Linear;
}

export interface Member {
  readonly channels: number;
  /** Å between two rows of the tables. */
  readonly tableStep: number;
  /** Factor on the sum of messages, so that it is of the size of the embedding. */
  readonly messageScale: number;
  /** Row of each atomic number. */
  readonly embedding: Float32Array;
  readonly layers: readonly MessageLayer[];
  readonly energyHidden: Linear;
  readonly energyOutput: Linear;
  readonly poolHidden: Linear;
  readonly headHidden: Linear;
  readonly headOutput: Linear;
}

/** What a member says of a graph, before references and scales are put back. */
export interface MemberOutput {
  /** eV/atom above the sum of the element references. */
  readonly energy: number;
  /** The five further heads, raw: metal logit, gap of non-metals, gap of all, log10 K, log10 G. */
  readonly heads: Float64Array;
  /** Mean hidden state of the atoms: the place of the crystal in the network's own space. */
  readonly latent: Float64Array;
}
