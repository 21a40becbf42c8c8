import type { CrystalGraph } from './crystal-graph.ts';
import type { Linear, Member, MemberOutput } from './member.ts';
import { type Calibration, MODEL_FORMAT, type ModelManifest } from './model-file.ts';
import { networkOf } from './network.ts';
import { PredictionError } from './prediction-error.ts';

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
