/**
 * The potential in plain loops and double precision, with the exact radial nets: about 30 times slower than the fast
 * engine, which is tested against it. For the equations see docs/methods/potential.md.
 *
 * Features are ordered by degree, then atom, component and channel.
 */
import type { Structure } from '@unitcell/crystal';
import { type Engine, type Evaluation, forcesAndStress } from '../engine.ts';
import { buildGraph, type Graph } from '../graph.ts';
import { harmonics } from '../harmonics.ts';
import type { TensorPath } from '../model-file.ts';
import { exp, radialWeights } from '../radial.ts';
import { featureCount, type Layer, type LinearMap, type Model } from '../read-model.ts';

interface Features {
  readonly channels: readonly number[];
  readonly atoms: number;
  readonly data: Float64Array;
}

const newFeatures = (atoms: number, channels: readonly number[]): Features => ({
  channels,
  atoms,
  data: new Float64Array(atoms * featureCount(channels)),
});

/** Index of the first channel of a component for an atom. */
const at = ({ channels, atoms }: Features, degree: number, atom: number, component = 0): number =>
  atoms * featureCount(channels.slice(0, degree)) + (atom * (2 * degree + 1) + component) * channels[degree];

type Maps = readonly (LinearMap | null)[];

/** Adds from · maps to `to`, by degree; `transposed` uses the transposed maps. */
function applyMaps(maps: Maps, from: Features, to: Features, transposed = false): void {
  maps.forEach((map, degree) => {
    if (!map || !to.channels[degree] || !from.channels[degree]) return;
    const { outputs, weights } = map;
    const [n, m] = [from.channels[degree], to.channels[degree]];
    for (let row = 0; row < from.atoms * (2 * degree + 1); row++) {
      const [source, target] = [at(from, degree, 0) + row * n, at(to, degree, 0) + row * m];
      for (let k = 0; k < n; k++) {
        const value = from.data[source + k];
        for (let j = 0; j < m; j++)
          to.data[target + j] += value * weights[transposed ? j * outputs + k : k * outputs + j];
      }
    }
  });
}

/** The entries of a path's coupling, multiplied by √(2l + 1) of the output. */
function couplingOf({ manifest }: Model, { input, edge, output }: TensorPath) {
  const factor = Math.sqrt(2 * output + 1);
  return manifest.coupling[`${input}${edge}${output}`].map(
    ([m1, m2, m3, value]) => [m1, edge * edge + m2, m3, value * factor] as const,
  );
}

interface LayerTape {
  readonly input: Features;
  /** Input after `linearIn` */
  readonly sent: Features;
  /** Features before the gate */
  readonly gated: Features;
  readonly weights: Float64Array;
  readonly slopes: Float64Array;
}

/** Data that all layers of an evaluation share. */
interface Geometry {
  readonly model: Model;
  readonly graph: Graph;
  readonly harmonics: Float64Array;
  readonly stride: number;
}

/** Both directions of every pair: receiving atom, sending atom, and the sign of harmonics of odd degree. */
function directions({ first, second }: Graph, pair: number) {
  return [
    { receiver: first[pair], sender: second[pair], sign: 1 },
    { receiver: second[pair], sender: first[pair], sign: -1 },
  ];
}

function passMessages(
  { model, graph, harmonics: y, stride }: Geometry,
  layer: Layer,
  tape: LayerTape,
): Features {
  const sums = newFeatures(graph.atoms, layer.messages);
  for (const path of layer.paths) {
    const coupling = couplingOf(model, path);
    for (let pair = 0; pair < graph.pairs; pair++)
      for (const { receiver, sender, sign } of directions(graph, pair))
        for (const [m1, edge, m3, value] of coupling) {
          const factor = value * y[stride * pair + edge] * (path.edge % 2 ? sign : 1);
          const source = at(tape.sent, path.input, sender, m1);
          const target = at(sums, path.output, receiver, m3) + path.channelOffset;
          const weight = pair * layer.radialWeights + path.weightOffset;
          for (let c = 0; c < path.channels; c++)
            sums.data[target + c] += factor * tape.weights[weight + c] * tape.sent.data[source + c];
        }
  }
  return sums;
}

/**
 * Converts the gradient of the sums over neighbours into the gradients of the sent features, the harmonics and the
 * distances.
 */
function passGradients(
  { model, graph, harmonics: y, stride }: Geometry,
  layer: Layer,
  tape: LayerTape,
  bySums: Features,
  byHarmonic: Float64Array,
  byDistance: Float64Array,
): Features {
  const bySent = newFeatures(graph.atoms, layer.inputs);
  for (const path of layer.paths) {
    const coupling = couplingOf(model, path);
    for (let pair = 0; pair < graph.pairs; pair++)
      for (const { receiver, sender, sign } of directions(graph, pair))
        for (const [m1, edge, m3, value] of coupling) {
          const signed = value * (path.edge % 2 ? sign : 1);
          const factor = signed * y[stride * pair + edge];
          const source = at(tape.sent, path.input, sender, m1);
          const target = at(bySums, path.output, receiver, m3) + path.channelOffset;
          const weight = pair * layer.radialWeights + path.weightOffset;
          let [angular, radial] = [0, 0];
          for (let c = 0; c < path.channels; c++) {
            const product = tape.sent.data[source + c] * bySums.data[target + c];
            angular += tape.weights[weight + c] * product;
            radial += tape.slopes[weight + c] * product;
            bySent.data[source + c] += factor * tape.weights[weight + c] * bySums.data[target + c];
          }
          byHarmonic[stride * pair + edge] += signed * angular;
          byDistance[pair] += factor * radial;
        }
  }
  return bySent;
}

/** Calls `visit` for every channel with the index of the scalar that gates it; scalars gate themselves. */
function visitGates(layer: Layer, visit: (degree: number, channel: number, gate: number) => void): void {
  let gate = 0;
  layer.outputs.forEach((count, degree) => {
    for (let channel = 0; channel < count; channel++) visit(degree, channel, gate++);
  });
}

function openGates(factor: number, layer: Layer, gated: Features): Features {
  const output = newFeatures(gated.atoms, layer.outputs);
  for (let atom = 0; atom < gated.atoms; atom++)
    visitGates(layer, (degree, channel, gate) => {
      const x = gated.data[at(gated, 0, atom) + gate];
      const open = factor / (1 + exp(-x));
      for (let m = 0; m < 2 * degree + 1; m++)
        output.data[at(output, degree, atom, m) + channel] =
          open * x * (degree === 0 ? 1 : gated.data[at(gated, degree, atom, m) + channel]);
    });
  return output;
}

function gateGradients(factor: number, layer: Layer, gated: Features, byOutput: Features): Features {
  const byGated = newFeatures(gated.atoms, layer.gated);
  for (let atom = 0; atom < gated.atoms; atom++)
    visitGates(layer, (degree, channel, gate) => {
      const scalar = at(gated, 0, atom) + gate;
      const x = gated.data[scalar];
      const s = 1 / (1 + exp(-x));
      let sum = 0;
      if (degree === 0) sum = byOutput.data[at(byOutput, 0, atom) + channel];
      else
        for (let m = 0; m < 2 * degree + 1; m++) {
          const gradient = byOutput.data[at(byOutput, degree, atom, m) + channel];
          const target = at(gated, degree, atom, m) + channel;
          byGated.data[target] = factor * x * s * gradient;
          sum += gradient * gated.data[target];
        }
      byGated.data[scalar] = sum * factor * s * (1 + x * (1 - s));
    });
  return byGated;
}

function evaluate(model: Model, structure: Structure): Evaluation {
  const { manifest, layers } = model;
  const graph = buildGraph(model, structure);
  const stride = (manifest.maxDegree + 1) ** 2;
  const geometry: Geometry = { model, graph, harmonics: new Float64Array(graph.pairs * stride), stride };
  for (let pair = 0; pair < graph.pairs; pair++) {
    const [x, y, z] = graph.directions.subarray(3 * pair, 3 * pair + 3);
    harmonics([x, y, z], manifest.maxDegree, geometry.harmonics, stride * pair);
  }

  let features = newFeatures(graph.atoms, manifest.channels[0]);
  const width = manifest.channels[0][0];
  graph.rows.forEach((row, atom) => {
    features.data.set(model.embedding.subarray(row * width, (row + 1) * width), atom * width);
  });
  const tapes = layers.map((layer) => {
    const tape: LayerTape = {
      input: features,
      sent: newFeatures(graph.atoms, layer.inputs),
      gated: newFeatures(graph.atoms, layer.gated),
      weights: new Float64Array(graph.pairs * layer.radialWeights),
      slopes: new Float64Array(graph.pairs * layer.radialWeights),
    };
    applyMaps(layer.linearIn, features, tape.sent);
    for (let pair = 0; pair < graph.pairs; pair++)
      radialWeights(
        model,
        layer,
        graph.distances[pair],
        tape.weights,
        tape.slopes,
        pair * layer.radialWeights,
      );
    applyMaps(layer.selfConnection, features, tape.gated);
    applyMaps(layer.linearOut, passMessages(geometry, layer, tape), tape.gated);
    features = openGates(manifest.activationFactor, layer, tape.gated);
    return tape;
  });

  const energies = new Float64Array(graph.atoms);
  let energy = 0;
  let gradient = newFeatures(graph.atoms, features.channels);
  graph.rows.forEach((row, atom) => {
    let sum = 0;
    model.readout.forEach((weight, channel) => {
      sum += weight * features.data[at(features, 0, atom) + channel];
      gradient.data[at(gradient, 0, atom) + channel] = weight * model.scales[row];
    });
    energies[atom] = model.scales[row] * sum + model.shifts[row];
    energy += energies[atom];
  });

  const byHarmonic = new Float64Array(graph.pairs * stride);
  const byDistance = new Float64Array(graph.pairs);
  for (let index = layers.length - 1; index >= 0; index--) {
    const [layer, tape] = [layers[index], tapes[index]];
    const byGated = gateGradients(manifest.activationFactor, layer, tape.gated, gradient);
    const bySums = newFeatures(graph.atoms, layer.messages);
    applyMaps(layer.linearOut, byGated, bySums, true);
    const bySent = passGradients(geometry, layer, tape, bySums, byHarmonic, byDistance);
    gradient = newFeatures(graph.atoms, layer.inputs);
    applyMaps(layer.linearIn, bySent, gradient, true);
    applyMaps(layer.selfConnection, byGated, gradient, true);
  }
  return { energy, energies, ...forcesAndStress(graph, manifest.maxDegree, byHarmonic, byDistance) };
}

/** The readable engine, used by tests and by hosts without WebAssembly. */
export const referenceEngine = (model: Model): Engine => ({
  evaluate: (structure) => evaluate(model, structure),
});
