/** The arrays of one trained network and their shapes; forward.ts evaluates them. */

/** A weight matrix, row by row: `outputs` × `inputs`, with an optional bias. */
export interface Linear {
  readonly weight: Float32Array;
  readonly bias?: Float32Array;
  readonly inputs: number;
  readonly outputs: number;
}

/** One layer of message passing. */
export interface MessageLayer {
  /** Weights applied to the receiving and to the sending atom. */
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
  /** Factor on the sum of messages that brings it to the scale of the embedding. */
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

/** Outputs of a member for a graph, before references and scales are added back. */
export interface MemberOutput {
  /** eV/atom above the sum of the element references. */
  readonly energy: number;
  /** The five further heads, raw: metal logit, gap of non-metals, gap of all, log10 K, log10 G. */
  readonly heads: Float64Array;
  /** Mean hidden state of the atoms: the position of the crystal in the network's latent space. */
  readonly latent: Float64Array;
}
