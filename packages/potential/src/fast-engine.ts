/**
 * The potential as WebAssembly with 128-bit vectors, in single precision, with tabulated radial nets. Energies of
 * atoms, forces and stress are summed in double precision. All sums have a fixed order and relaxed vector instructions
 * are not used, so the same structure gives the same bits everywhere.
 *
 * Features are ordered by degree, then atom, component and channel, as in the reference engine. An evaluation uses a
 * stack in memory above the weights and tables. Radial weights exist for one pair at a time.
 */
import type { Structure } from '@unitcell/crystal';
import { type KernelFunction, KernelMemory } from '@unitcell/numerics';
import { KERNEL } from './data/kernel.ts';
import { type Engine, type Evaluation, forcesAndStress } from './engine.ts';
import { buildGraph, type Graph, SHORTEST_DISTANCE } from './graph.ts';
import { harmonics } from './harmonics.ts';
import { PotentialError } from './potential-error.ts';
import { radialWeights } from './radial.ts';
import { featureCount, type Layer, type LinearMap, type Model } from './read-model.ts';
import { kernelShapes, layerKinds } from './model-file.ts';

/**
 * Å; length of the intervals of the radial tables. Shorter intervals do not improve single-precision results.
 * An integer number of them must reach the kink in the second derivative of the cutoff.
 */
const TABLE_STEP = 1 / 128;

/** WebAssembly for the shapes of a model's layers, from workshop/generators/potential. */
export interface Kernel {
  readonly shapes: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface StoredMap {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: number;
  readonly transposed: number;
}

interface StoredLayer {
  readonly layer: Layer;
  readonly forward: KernelFunction;
  readonly backward: KernelFunction;
  readonly table: number;
  readonly selfConnection: readonly (StoredMap | null)[];
  readonly linearIn: readonly (StoredMap | null)[];
  readonly linearOut: readonly (StoredMap | null)[];
}

function transpose({ inputs, outputs, weights }: LinearMap): Float64Array {
  const result = new Float64Array(weights.length);
  for (let i = 0; i < inputs; i++)
    for (let j = 0; j < outputs; j++) result[j * inputs + i] = weights[i * outputs + j];
  return result;
}

/**
 * Writes the cubic polynomials of one interval, from values and slopes at both ends: four coefficients for each
 * radial weight of a layer.
 * @param at index of the first coefficient
 */
function putInterval(floats: Float32Array, at: number, interval: number, model: Model, layer: Layer): void {
  const n = layer.radialWeights;
  const [left, right] = [interval, interval + 1].map((index) => {
    const [values, slopes] = [new Float64Array(n), new Float64Array(n)];
    radialWeights(model, layer, SHORTEST_DISTANCE + index * TABLE_STEP, values, slopes, 0);
    return { values, slopes };
  });
  for (let k = 0; k < n; k++) {
    const rise = right.values[k] - left.values[k];
    const [start, end] = [TABLE_STEP * left.slopes[k], TABLE_STEP * right.slopes[k]];
    floats[at + k] = left.values[k];
    floats[at + n + k] = start;
    floats[at + 2 * n + k] = 3 * rise - 2 * start - end;
    floats[at + 3 * n + k] = start + end - 2 * rise;
  }
}

function placeInTable(distance: number) {
  const steps = (distance - SHORTEST_DISTANCE) / TABLE_STEP;
  const interval = Math.floor(steps);
  return { interval, fraction: steps - interval };
}

/** Copies the graph into the kernel's memory. */
function putGraph(workspace: KernelMemory, graph: Graph, maxDegree: number) {
  const stride = (maxDegree + 1) ** 2;
  const values = new Float64Array(2 * stride * graph.pairs);
  const [intervals, fractions] = [new Int32Array(graph.pairs), new Float64Array(graph.pairs)];
  for (let pair = 0; pair < graph.pairs; pair++) {
    const [x, y, z] = graph.directions.subarray(3 * pair, 3 * pair + 3);
    harmonics([x, y, z], maxDegree, values, 2 * stride * pair);
    harmonics([-x, -y, -z], maxDegree, values, 2 * stride * pair + stride);
    const { interval, fraction } = placeInTable(graph.distances[pair]);
    intervals[pair] = interval;
    fractions[pair] = fraction;
  }
  return [
    workspace.putIntegers(graph.first),
    workspace.putIntegers(graph.second),
    workspace.put(values),
    workspace.putIntegers(intervals),
    workspace.put(fractions),
  ];
}

/**
 * Combines derivatives by the harmonics of both directions of each pair into derivatives by those of the first
 * direction.
 */
function foldDirections(both: Float32Array, pairs: number, maxDegree: number): Float64Array {
  const stride = (maxDegree + 1) ** 2;
  const folded = new Float64Array(stride * pairs);
  for (let pair = 0; pair < pairs; pair++)
    for (let degree = 0; degree <= maxDegree; degree++)
      for (let k = degree * degree; k < (degree + 1) ** 2; k++) {
        const backward = both[2 * stride * pair + stride + k];
        folded[stride * pair + k] = both[2 * stride * pair + k] + (degree % 2 ? -backward : backward);
      }
  return folded;
}

/**
 * The engine for everyday use; an atom takes about 1 ms on one core. It fills tables for the distances that
 * occur, in total up to 40 MB and half a second of work, so create it once and keep it.
 * @throws PotentialError `model-file` when the kernel was generated for layers of other shapes
 */
export function fastEngine(model: Model, kernel: Kernel = KERNEL): Engine {
  const { manifest } = model;
  if (kernelShapes(manifest).join('\n') !== kernel.shapes.join('\n'))
    throw new PotentialError('model-file', `the kernel was not generated for ${manifest.name}`);
  const workspace = new KernelMemory(256);
  const run = workspace.start(kernel.bytes);

  const kinds = layerKinds(manifest);
  const store = (maps: readonly (LinearMap | null)[]): (StoredMap | null)[] =>
    maps.map(
      (map) =>
        map && {
          inputs: map.inputs,
          outputs: map.outputs,
          weights: workspace.put(map.weights),
          transposed: workspace.put(transpose(map)),
        },
    );
  const intervalCount = Math.round((manifest.cutoff - SHORTEST_DISTANCE) / TABLE_STEP);
  const layers = model.layers.map(
    (layer, index): StoredLayer => ({
      layer,
      forward: run[`forward${kinds[index]}`],
      backward: run[`backward${kinds[index]}`],
      table: workspace.reserve(4 * layer.radialWeights * intervalCount),
      selfConnection: store(layer.selfConnection),
      linearIn: store(layer.linearIn),
      linearOut: store(layer.linearOut),
    }),
  );
  const scratch = workspace.allocate(3 * Math.max(...model.layers.map((layer) => layer.radialWeights)));
  const base = workspace.mark;

  /**
   * Intervals of the tables. A crystal needs only a small part of them, so each interval is filled at its first
   * use.
   */
  const isFilled = new Uint8Array(intervalCount);
  function fillTables({ distances, pairs }: Graph): void {
    for (let pair = 0; pair < pairs; pair++) {
      const { interval } = placeInTable(distances[pair]);
      if (isFilled[interval] === 1) continue;
      isFilled[interval] = 1;
      for (const { layer, table } of layers)
        putInterval(
          workspace.floats,
          (table >> 2) + 4 * layer.radialWeights * interval,
          interval,
          model,
          layer,
        );
    }
  }

  function evaluate(structure: Structure): Evaluation {
    const graph = buildGraph(model, structure);
    const { atoms, pairs } = graph;
    fillTables(graph);
    workspace.release(base);
    const [first, second, y, intervals, fractions] = putGraph(workspace, graph, manifest.maxDegree);
    const geometry = [pairs, atoms, first, second, y, intervals, fractions];
    const block = (channels: readonly number[], degree: number): number =>
      4 * atoms * featureCount(channels.slice(0, degree));
    const newFeatures = (channels: readonly number[]): number =>
      workspace.allocate(atoms * featureCount(channels));
    /** Adds from · maps to `to` by degree, or from · (transposed maps). */
    const apply = (
      maps: readonly (StoredMap | null)[],
      [from, fromChannels]: readonly [number, readonly number[]],
      [to, toChannels]: readonly [number, readonly number[]],
      transposed = false,
    ): void => {
      maps.forEach((map, degree) => {
        if (!map || !fromChannels[degree] || !toChannels[degree]) return;
        run.multiply(
          from + block(fromChannels, degree),
          atoms * (2 * degree + 1),
          fromChannels[degree],
          toChannels[degree],
          transposed ? map.transposed : map.weights,
          to + block(toChannels, degree),
        );
      });
    };
    /** Calls back for each gated degree with the position of its gates among the scalars. */
    const eachGated = (
      layer: Layer,
      visit: (degree: number, channels: number, offset: number) => void,
    ): void => {
      let offset = layer.outputs[0];
      for (let degree = 1; degree < layer.outputs.length; degree++) {
        if (layer.outputs[degree] > 0) visit(degree, layer.outputs[degree], offset);
        offset += layer.outputs[degree];
      }
    };

    const width = manifest.channels[0][0];
    let features = newFeatures(manifest.channels[0]);
    graph.rows.forEach((row, atom) => {
      workspace.floats.set(
        model.embedding.subarray(row * width, (row + 1) * width),
        (features >> 2) + atom * width,
      );
    });
    const factor = manifest.activationFactor;
    const tapes = layers.map(({ layer, forward, table, selfConnection, linearIn, linearOut }) => {
      const sent = newFeatures(layer.inputs);
      const gated = newFeatures(layer.gated);
      const output = newFeatures(layer.outputs);
      const mark = workspace.mark;
      apply(linearIn, [features, layer.inputs], [sent, layer.inputs]);
      const sums = newFeatures(layer.messages);
      forward(...geometry, table, scratch, sent, sums);
      apply(selfConnection, [features, layer.inputs], [gated, layer.gated]);
      apply(linearOut, [sums, layer.messages], [gated, layer.gated]);
      workspace.release(mark);
      run.activate(atoms, gated, layer.gated[0], layer.outputs[0], output, factor);
      eachGated(layer, (degree, channels, offset) =>
        run.gate(
          atoms,
          gated,
          layer.gated[0],
          offset,
          2 * degree + 1,
          channels,
          gated + block(layer.gated, degree),
          output + block(layer.outputs, degree),
          factor,
        ),
      );
      features = output;
      return { sent, gated };
    });

    const energies = new Float64Array(atoms);
    let energy = 0;
    let gradient = newFeatures(layers[layers.length - 1].layer.outputs);
    const { length } = model.readout;
    graph.rows.forEach((row, atom) => {
      let sum = 0;
      for (let channel = 0; channel < length; channel++) {
        sum += model.readout[channel] * workspace.floats[(features >> 2) + atom * length + channel];
        workspace.floats[(gradient >> 2) + atom * length + channel] =
          model.readout[channel] * model.scales[row];
      }
      energies[atom] = model.scales[row] * sum + model.shifts[row];
      energy += energies[atom];
    });

    const stride = 2 * (manifest.maxDegree + 1) ** 2;
    const byHarmonic = workspace.allocate(stride * pairs);
    const byDistance = workspace.allocate(pairs);
    for (let index = layers.length - 1; index >= 0; index--) {
      const { layer, backward, table, selfConnection, linearIn, linearOut } = layers[index];
      const { sent, gated } = tapes[index];
      const [byGated, bySums, bySent] = [layer.gated, layer.messages, layer.inputs].map(newFeatures);
      run.activateBack(atoms, gated, layer.gated[0], layer.outputs[0], gradient, byGated, factor);
      eachGated(layer, (degree, channels, offset) =>
        run.gateBack(
          atoms,
          gated,
          layer.gated[0],
          offset,
          2 * degree + 1,
          channels,
          gated + block(layer.gated, degree),
          gradient + block(layer.outputs, degree),
          byGated,
          byGated + block(layer.gated, degree),
          factor,
        ),
      );
      apply(linearOut, [byGated, layer.gated], [bySums, layer.messages], true);
      backward(...geometry, table, scratch, sent, bySums, bySent, byHarmonic, byDistance);
      // The input of the first layer depends only on the elements, so its gradient is not needed.
      if (index === 0) break;
      gradient = newFeatures(layer.inputs);
      apply(linearIn, [bySent, layer.inputs], [gradient, layer.inputs], true);
      apply(selfConnection, [byGated, layer.gated], [gradient, layer.inputs], true);
    }
    const { floats } = workspace;
    const folded = foldDirections(
      floats.subarray(byHarmonic >> 2, (byHarmonic >> 2) + stride * pairs),
      pairs,
      manifest.maxDegree,
    );
    const slopes = Float64Array.from(
      floats.subarray(byDistance >> 2, (byDistance >> 2) + pairs),
      (value) => value / TABLE_STEP,
    );
    return { energy, energies, ...forcesAndStress(graph, manifest.maxDegree, folded, slopes) };
  }
  return { evaluate };
}
