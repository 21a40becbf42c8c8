/**
 * One network over one graph. With x the states of the atoms (rows of channels), per layer
 *   m_i = s Σ_j w_ij · silu(P x_i + Q x_j + F(d_ij)) ⊙ G(d_ij)   and   x_i += W silu(U [x_i, m_i]),
 * the continuous filter of SchNet (K. T. Schütt et al., J. Chem. Phys. 148 (2018) 241722, doi:10.1063/1.5019779) made to depend on
 * both atoms as in CGCNN (T. Xie, J. C. Grossman, Phys. Rev. Lett. 120 (2018) 145301, doi:10.1103/PhysRevLett.120.145301).
 * F and G are tables over the distance, linear between their rows; G ends at 0 at the radius. Sums are in double precision.
 */
import type { CrystalGraph } from './crystal-graph.ts';
import type { Linear, Member, MemberOutput, MessageLayer } from './member.ts';

const silu = (x: number): number => x / (1 + Math.exp(-x));

/** y = W x + b for each of `rows` rows. */
function apply({ weight, bias, inputs, outputs }: Linear, x: Float64Array, rows: number): Float64Array {
  const y = new Float64Array(rows * outputs);
  for (let row = 0; row < rows; row++)
    for (let o = 0; o < outputs; o++) {
      const [w, v] = [o * inputs, row * inputs];
      let sum = bias ? bias[o] : 0;
      for (let i = 0; i < inputs; i++) sum += weight[w + i] * x[v + i];
      y[row * outputs + o] = sum;
    }
  return y;
}

function activated(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = silu(values[i]);
  return values;
}

/** [x_i, m_i] of every node, side by side. */
function statesWithMessages(
  member: Member,
  layer: MessageLayer,
  graph: CrystalGraph,
  x: Float64Array,
): Float64Array {
  const { channels, tableStep, messageScale } = member;
  const nodes = graph.shares.length;
  const hearers = apply(layer.hearer, x, nodes);
  const speakers = apply(layer.speaker, x, nodes);
  const { shiftTable, gateTable } = layer;
  const joined = new Float64Array(nodes * 2 * channels);
  for (let node = 0; node < nodes; node++) {
    const [at, own] = [node * 2 * channels + channels, node * channels];
    for (let c = 0; c < channels; c++) joined[at - channels + c] = x[own + c];
    for (let edge = graph.rowStarts[node]; edge < graph.rowStarts[node + 1]; edge++) {
      const place = graph.distances[edge] / tableStep;
      const row = Math.floor(place);
      const share = place - row;
      const [low, high] = [row * channels, (row + 1) * channels];
      const other = graph.sources[edge] * channels;
      const weight = graph.weights[edge] * messageScale;
      for (let c = 0; c < channels; c++) {
        const shift = shiftTable[low + c] + share * (shiftTable[high + c] - shiftTable[low + c]);
        const gate = gateTable[low + c] + share * (gateTable[high + c] - gateTable[low + c]);
        joined[at + c] += weight * gate * silu(hearers[own + c] + speakers[other + c] + shift);
      }
    }
  }
  return joined;
}

/** What a member says of a graph whose elements it knows. */
export function forward(member: Member, graph: CrystalGraph): MemberOutput {
  const { channels } = member;
  const { shares, atomicNumbers } = graph;
  const nodes = shares.length;
  const x = new Float64Array(nodes * channels);
  for (let node = 0; node < nodes; node++)
    for (let c = 0; c < channels; c++)
      x[node * channels + c] = member.embedding[atomicNumbers[node] * channels + c];
  for (const layer of member.layers) {
    const joined = statesWithMessages(member, layer, graph, x);
    const change = apply(layer.output, activated(apply(layer.update, joined, nodes)), nodes);
    for (let i = 0; i < x.length; i++) x[i] += change[i];
  }
  const energies = apply(member.energyOutput, activated(apply(member.energyHidden, x, nodes)), nodes);
  const pooled = activated(apply(member.poolHidden, x, nodes));
  const latent = new Float64Array(channels);
  let energy = 0;
  for (let node = 0; node < nodes; node++) {
    energy += shares[node] * energies[node];
    for (let c = 0; c < channels; c++) latent[c] += shares[node] * pooled[node * channels + c];
  }
  const heads = apply(member.headOutput, activated(apply(member.headHidden, latent, 1)), 1);
  return { energy, heads, latent };
}
