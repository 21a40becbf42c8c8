/**
 * The network in double precision; formulas in member.ts. It agrees with the training code to 1e-8. The tests
 * compare the kernel with it; the kernel is five times as fast.
 */
import type { CrystalGraph } from '../crystal-graph.ts';
import {
  activated,
  apply,
  headsOf,
  type Member,
  type MemberOutput,
  type MessageLayer,
  silu,
} from '../member.ts';

/** Concatenates [x_i, m_i] of every node. */
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

/** The outputs of a member for a graph; the member must have a row for each of its elements. */
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
  return { energy, heads: headsOf(member, latent), latent };
}
