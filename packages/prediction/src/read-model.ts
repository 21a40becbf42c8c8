import type { CrystalGraph } from './crystal-graph.ts';
import { type Linear, type Member, type MemberOutput, headsOf, type MessageLayer } from './member.ts';
import { type Calibration, MODEL_FORMAT, type ModelManifest } from './model-file.ts';
import { PredictionError } from './prediction-error.ts';
import { KernelMemory } from '@unitcell/numerics';
import { NETWORK_KERNEL } from './data/network-kernel.ts';

/** Members and the calibration that turns their outputs into values with intervals. */
export interface Predictor {
  readonly manifest: Calibration;
  readonly members: readonly Member[];
  /** The outputs of the members for a graph; each member must have a row for each of the graph's elements. */
  readonly evaluate: (graph: CrystalGraph) => readonly MemberOutput[];
  /** Latent positions of the stored training rows, row by row. */
  readonly places: Float32Array;
  /** Remaining error of the trained network for each of these rows, eV/atom. */
  readonly errors: Float32Array;
}

/** A model ready to predict. */
export interface Model extends Predictor {
  readonly manifest: ModelManifest;
  /** The predictor for formulas without a structure. */
  readonly composition: Predictor;
}

/** The half-precision floats (IEEE 754 binary16) by their bits. */
function halfNumbers(): Float32Array {
  const numbers = new Float32Array(2 ** 16);
  for (let exponent = 0; exponent < 32; exponent++) {
    const unit = 2 ** (Math.max(1, exponent) - 25);
    for (let fraction = 0; fraction < 1024; fraction++) {
      const bits = (exponent << 10) + fraction;
      const special = fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
      numbers[bits] = exponent === 31 ? special : (fraction + (exponent > 0 ? 1024 : 0)) * unit;
      numbers[bits + 2 ** 15] = -numbers[bits];
    }
  }
  return numbers;
}

interface Tensor {
  readonly values: Float32Array;
  readonly shape: readonly number[];
}

type Tensors = (name: string) => Tensor;

function memberOf(prefix: string, { architecture }: ModelManifest, tensor: Tensors): Member {
  const linear = (name: string): Linear => {
    const { values, shape } = tensor(`${name}.weight`);
    return { weight: values, bias: tensor(`${name}.bias`).values, inputs: shape[1], outputs: shape[0] };
  };
  const layers = Array.from({ length: architecture.layers }, (_, layer) => {
    const at = `${prefix}.${layer}`;
    const speaker = tensor(`${at}.speaker.weight`);
    return {
      hearer: linear(`${at}.hearer`),
      speaker: { weight: speaker.values, inputs: speaker.shape[1], outputs: speaker.shape[0] },
      shiftTable: tensor(`${at}.shiftTable`).values,
      gateTable: tensor(`${at}.gateTable`).values,
      update: linear(`${at}.update`),
      output: linear(`${at}.output`),
    };
  });
  const { channels, tableStep, messageScale } = architecture;
  return {
    channels,
    tableStep,
    messageScale,
    embedding: tensor(`${prefix}.embedding`).values,
    layers,
    energyHidden: linear(`${prefix}.energyHidden`),
    energyOutput: linear(`${prefix}.energyOutput`),
    poolHidden: linear(`${prefix}.poolHidden`),
    headHidden: linear(`${prefix}.headHidden`),
    headOutput: linear(`${prefix}.headOutput`),
  };
}

/**
 * Reads a model from its two files. The caller must check that the binary has the SHA-256 of the manifest, because
 * hashing depends on the platform.
 * @throws PredictionError `model-file`
 */
export function readModel(manifest: ModelManifest, binary: Uint8Array): Model {
  if (manifest.format !== MODEL_FORMAT)
    throw new PredictionError(
      'model-file',
      `the model has format ${manifest.format}; this program reads format ${MODEL_FORMAT}`,
    );
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const halves = halfNumbers();
  const byName = new Map(manifest.tensors.map((entry) => [entry.name, entry]));
  const tensor: Tensors = (name) => {
    const entry = byName.get(name);
    const length = entry?.shape.reduce((product, n) => product * n, 1) ?? 0;
    if (!entry || (entry.offset + length) * 2 > binary.byteLength)
      throw new PredictionError('model-file', `the weights ${name} are not in the file`);
    const values = new Float32Array(length);
    for (let i = 0; i < length; i++) values[i] = halves[view.getUint16((entry.offset + i) * 2, true)];
    return { values, shape: entry.shape };
  };
  const predictor = (prefix: string, count: number) => {
    const members = Array.from({ length: count }, (_, i) => memberOf(`${prefix}${i}`, manifest, tensor));
    return {
      members,
      evaluate: networkOf(members),
      places: tensor(`${prefix}places`).values,
      errors: tensor(`${prefix}errors`).values,
    };
  };
  const { architecture, composition } = manifest;
  return {
    manifest,
    ...predictor('', architecture.members),
    composition: { manifest: composition, ...predictor('composition.', composition.members) },
  };
}

// The network as WebAssembly with 128-bit vectors in single precision; formulas in member.ts. Energies and latent
// states are summed over the atoms in double precision. Sums have a fixed order and exp is the kernel's own, so a graph
// gives the same bits everywhere. The difference from `forward` is below 1e-5 eV/atom (read-model.test.ts).

/** Pages of 64 KiB: three members take 3.5 MB. */
const INITIAL_PAGES = 80;
/** The matrix product works on tiles of this many rows and columns. */
const [TILE_ROWS, COLUMNS] = [4, 8];

/** A matrix in the kernel's memory: `inputs` rows of `outputs` numbers, and the bias. */
interface Stored {
  readonly inputs: number;
  readonly outputs: number;
  readonly weight: number;
  readonly bias: number;
}

/** Stacks maps with the same inputs; those without a bias get zeros. */
function store(memory: KernelMemory, maps: readonly Linear[], from = 0, to = maps[0].inputs): Stored {
  const outputs = maps.reduce((sum, map) => sum + map.outputs, 0);
  const [weight, bias] = [new Float32Array((to - from) * outputs), new Float32Array(outputs)];
  let first = 0;
  for (const map of maps) {
    bias.set(map.bias ?? [], first);
    for (let o = 0; o < map.outputs; o++)
      for (let i = from; i < to; i++)
        weight[(i - from) * outputs + first + o] = map.weight[o * map.inputs + i];
    first += map.outputs;
  }
  return { inputs: to - from, outputs, weight: memory.put(weight), bias: memory.put(bias) };
}

/** Shift and gate of each distance in one row. */
function storeTable(memory: KernelMemory, { shiftTable, gateTable }: MessageLayer, channels: number) {
  const table = new Float32Array(2 * shiftTable.length);
  for (let at = 0; at < shiftTable.length; at += channels) {
    table.set(shiftTable.subarray(at, at + channels), 2 * at);
    table.set(gateTable.subarray(at, at + channels), 2 * at + channels);
  }
  return memory.put(table);
}

function storeMember(memory: KernelMemory, member: Member) {
  const { channels } = member;
  return {
    member,
    layers: member.layers.map((layer) => ({
      ends: store(memory, [layer.hearer, layer.speaker]),
      table: storeTable(memory, layer, channels),
      state: store(memory, [layer.update], 0, channels),
      message: store(memory, [layer.update], channels),
      output: store(memory, [layer.output]),
    })),
    last: store(memory, [member.energyHidden, member.poolHidden]),
  };
}

function start(members: readonly Member[]) {
  const memory = new KernelMemory(INITIAL_PAGES);
  const run = memory.start(NETWORK_KERNEL);
  const stored = members.map((member) => storeMember(memory, member));
  const base = memory.mark;

  /** The edges with their places in the tables. All members have the same architecture and share these edges. */
  function storeEdges({ rowStarts, sources, distances, weights }: CrystalGraph): readonly number[] {
    const { tableStep, messageScale } = members[0];
    const places = distances.map((distance) => distance / tableStep);
    return [
      memory.putIntegers(rowStarts),
      memory.putIntegers(sources),
      memory.putIntegers(places),
      memory.put(places.map((place) => place - Math.floor(place))),
      memory.put(weights.map((weight) => weight * messageScale)),
    ];
  }

  function evaluateMember(
    { member, layers, last }: (typeof stored)[number],
    { atomicNumbers, shares }: CrystalGraph,
    edges: readonly number[],
  ): MemberOutput {
    const { channels, embedding, energyOutput } = member;
    const nodes = shares.length;
    // Matrix products are fastest for whole tiles of rows, so rows are added after the last node; their values
    // are not used.
    const rows = Math.ceil(nodes / TILE_ROWS) * TILE_ROWS;
    const multiply = (from: number, { inputs, outputs, weight }: Stored, to: number) =>
      run.multiply(from, rows, inputs, outputs, weight, to);
    const apply = (from: number, map: Stored): number => {
      const to = memory.reserve(rows * map.outputs);
      run.spread(map.bias, rows, map.outputs, to);
      multiply(from, map, to);
      return to;
    };
    const activate = (at: number, count: number) => run.activate(rows, at, count, count, at, 1);

    const x = memory.allocate(rows * channels);
    atomicNumbers.forEach((number, node) =>
      memory
        .at(x + 4 * node * channels, channels)
        .set(embedding.subarray(number * channels, (number + 1) * channels)),
    );
    for (const { ends, table, state, message, output } of layers) {
      const mark = memory.mark;
      const sums = memory.allocate(rows * channels);
      run.messages(nodes, channels, ...edges, table, apply(x, ends), sums);
      const hidden = apply(x, state);
      multiply(sums, message, hidden);
      activate(hidden, channels);
      run.add(rows * channels, apply(hidden, output), x);
      memory.release(mark);
    }
    const hidden = apply(x, last);
    activate(hidden, 2 * channels);
    const values = memory.at(hidden, 2 * nodes * channels);
    const latent = new Float64Array(channels);
    let energy = 0;
    for (let node = 0; node < nodes; node++) {
      const at = 2 * node * channels;
      let own = energyOutput.bias?.[0] ?? 0;
      for (let c = 0; c < channels; c++) {
        own += energyOutput.weight[c] * values[at + c];
        latent[c] += shares[node] * values[at + channels + c];
      }
      energy += shares[node] * own;
    }
    return { energy, heads: headsOf(member, latent), latent };
  }
  return (graph: CrystalGraph): MemberOutput[] => {
    memory.release(base);
    const edges = storeEdges(graph);
    const mark = memory.mark;
    return stored.map((member) => {
      memory.release(mark);
      return evaluateMember(member, graph, edges);
    });
  };
}

/**
 * A function that gives the outputs of the members for a graph. The kernel starts with the first graph.
 * @throws PredictionError `model-file` for a number of channels that is not a multiple of 8
 */
export function networkOf(members: readonly Member[]): (graph: CrystalGraph) => MemberOutput[] {
  if (members.some(({ channels }) => channels % COLUMNS !== 0))
    throw new PredictionError('model-file', `the channels of the network are not a multiple of ${COLUMNS}`);
  let evaluate: ReturnType<typeof start> | undefined;
  return (graph) => {
    evaluate ??= start(members);
    return evaluate(graph);
  };
}
