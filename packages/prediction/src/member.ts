/**
 * One network of the model: its arrays, and its layers in double precision. With x the states of the atoms (rows of
 * channels), per layer
 *   m_i = s Σ_j w_ij · silu(P x_i + Q x_j + F(d_ij)) ⊙ G(d_ij)   and   x_i += W silu(U [x_i, m_i]),
 * the continuous filter of SchNet (K. T. Schütt et al., J. Chem. Phys. 148 (2018) 241722,
 * doi:10.1063/1.5019779) extended to depend on both atoms as in CGCNN (T. Xie, J. C. Grossman, Phys. Rev.
 * Lett. 120 (2018) 145301, doi:10.1103/PhysRevLett.120.145301). F and G are tables over the distance with
 * linear interpolation; G is 0 at the radius.
 * `networkOf` (read-model.ts) evaluates it on a graph.
 */

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

/** The arrays of one trained network. */
export interface Member {
  readonly channels: number;
  /** Å between two rows of the tables. */
  readonly tableStep: number;
  /** Factor that brings the sum of messages to the scale of the embedding. */
  readonly messageScale: number;
  /** Row index for each atomic number. */
  readonly embedding: Float32Array;
  readonly layers: readonly MessageLayer[];
  readonly energyHidden: Linear;
  readonly energyOutput: Linear;
  readonly poolHidden: Linear;
  readonly headHidden: Linear;
  readonly headOutput: Linear;
}

/** Outputs of a member for a graph, without the references and scales. */
export interface MemberOutput {
  /** eV/atom, relative to the sum of the element references. */
  readonly energy: number;
  /** Raw outputs of the five further heads: metal logit, gap of non-metals, gap of all, log10 K, log10 G. */
  readonly heads: Float64Array;
  /** Mean hidden state of the atoms, which is the position of the crystal in the network's latent space. */
  readonly latent: Float64Array;
}

/**
 * Steps per power of two in the table of the exponential, and the argument beyond which silu is x or 0 to the last bit.
 */
const [STEPS, LARGEST] = [64, 40];
const TABLE_MIDDLE = Math.ceil((LARGEST * STEPS) / Math.LN2) + 1;
const POWERS = Float64Array.from(
  { length: 2 * TABLE_MIDDLE + 1 },
  (_, k) => 2 ** ((k - TABLE_MIDDLE) / STEPS),
);
/** Adding and subtracting this rounds a small number to the nearest integer. */
const ROUNDER = 1.5 * 2 ** 52;

/**
 * x / (1 + exp(-x)) to a relative error of 1e-15, at a third of the cost of Math.exp. exp(y) is a power of two from a
 * table, times the series of the remainder. The remainder is below 0.0055, so its sixth power is below the last bit.
 */
export function silu(x: number): number {
  if (!(x < LARGEST && x > -LARGEST)) return x / (1 + Math.exp(-x));
  const k = x * (-STEPS / Math.LN2) + ROUNDER - ROUNDER;
  const r = -x - k * (Math.LN2 / STEPS);
  const series = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120)))));
  return x / (1 + POWERS[k + TABLE_MIDDLE] * series);
}

/** Number of outputs summed in parallel; a single sum would wait for each addition. */
const ABREAST = 4;

/** Computes y = W x + b for each of `rows` rows. */
export function apply(
  { weight, bias, inputs, outputs }: Linear,
  x: Float64Array,
  rows: number,
): Float64Array {
  const y = new Float64Array(rows * outputs);
  const whole = outputs - (outputs % ABREAST);
  for (let row = 0; row < rows; row++) {
    const [v, at] = [row * inputs, row * outputs];
    for (let o = 0; o < whole; o += ABREAST) {
      const first = o * inputs;
      let [a, b, c, d] = bias ? [bias[o], bias[o + 1], bias[o + 2], bias[o + 3]] : [0, 0, 0, 0];
      for (let i = 0, w = first; i < inputs; i++, w++) {
        const value = x[v + i];
        a += weight[w] * value;
        b += weight[w + inputs] * value;
        c += weight[w + 2 * inputs] * value;
        d += weight[w + 3 * inputs] * value;
      }
      y[at + o] = a;
      y[at + o + 1] = b;
      y[at + o + 2] = c;
      y[at + o + 3] = d;
    }
    for (let o = whole; o < outputs; o++) {
      let sum = bias ? bias[o] : 0;
      for (let i = 0; i < inputs; i++) sum += weight[o * inputs + i] * x[v + i];
      y[at + o] = sum;
    }
  }
  return y;
}

export function activated(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = silu(values[i]);
  return values;
}

/** The raw outputs of the further heads for a latent state. */
export const headsOf = (member: Member, latent: Float64Array): Float64Array =>
  apply(member.headOutput, activated(apply(member.headHidden, latent, 1)), 1);
