import { MAX_DEGREE } from './harmonics.ts';
import { MODEL_FORMAT, type ModelManifest, type TensorPath } from './model-file.ts';
import { PotentialError } from './potential-error.ts';

/** A linear map on channels, [inputs, outputs] row by row, which includes every constant factor. */
export interface LinearMap {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: Float64Array;
}

export interface Layer {
  /** Channels by degree: of the input, of the sum over neighbours, and before and after the gate. */
  readonly inputs: readonly number[];
  readonly messages: readonly number[];
  readonly gated: readonly number[];
  readonly outputs: readonly number[];
  readonly paths: readonly TensorPath[];
  /** Maps by degree; null for degrees that do not occur. */
  readonly selfConnection: readonly (LinearMap | null)[];
  readonly linearIn: readonly (LinearMap | null)[];
  /** Already divided by the layer's denominator. */
  readonly linearOut: readonly (LinearMap | null)[];
  /** The radial net: basis → hidden → hidden → one weight for each channel of every path. */
  readonly radial: readonly [LinearMap, LinearMap, LinearMap];
  readonly radialWeights: number;
}

/** A model ready for an engine. All numbers are the float32 values of the file, stored in double precision. */
export interface Model {
  readonly manifest: ModelManifest;
  /** Row index by atomic number. */
  readonly rows: ReadonlyMap<number, number>;
  readonly embedding: Float64Array;
  readonly frequencies: Float64Array;
  readonly layers: readonly Layer[];
  /** The energy of an atom is scale · (readout · features) + shift, eV. */
  readonly readout: Float64Array;
  readonly scales: Float64Array;
  readonly shifts: Float64Array;
}

/** Sum of channels × components over the degrees. */
export const featureCount = (channels: readonly number[]): number =>
  channels.reduce((sum, count, degree) => sum + count * (2 * degree + 1), 0);

/**
 * Reads a model from its two files. The caller checks the binary against the SHA-256 of the manifest, because hashing
 * differs between Node and browsers.
 * @throws PotentialError `model-file`
 */
export function readModel(manifest: ModelManifest, binary: Uint8Array): Model {
  if (manifest.format !== MODEL_FORMAT)
    throw new PotentialError(
      'model-file',
      `the model has format ${manifest.format}; this program reads format ${MODEL_FORMAT}`,
    );
  if (manifest.maxDegree > MAX_DEGREE)
    throw new PotentialError(
      'model-file',
      `the model has harmonics of degree ${manifest.maxDegree}; this program has them up to ${MAX_DEGREE}`,
    );
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const byName = new Map(manifest.tensors.map((entry) => [entry.name, entry]));
  const tensor = (name: string, factor = 1): Float64Array => {
    const entry = byName.get(name);
    const length = entry?.shape.reduce((product, n) => product * n, 1) ?? 0;
    if (!entry || (entry.offset + length) * 4 > binary.byteLength)
      throw new PotentialError('model-file', `the weights ${name} are not in the file`);
    return Float64Array.from({ length }, (_, i) => view.getFloat32((entry.offset + i) * 4, true) * factor);
  };
  const linear = (name: string, divisor = 1): LinearMap => {
    const [inputs, outputs] = byName.get(name)?.shape ?? [0, 0];
    return { inputs, outputs, weights: tensor(name, 1 / (Math.sqrt(inputs) * divisor)) };
  };
  const byDegree = (name: string, divisor = 1): (LinearMap | null)[] =>
    Array.from({ length: manifest.maxDegree + 1 }, (_, degree) =>
      byName.has(`${name}.l${degree}`) ? linear(`${name}.l${degree}`, divisor) : null,
    );

  const layers = manifest.paths.map((paths, index): Layer => {
    const [inputs, outputs] = [manifest.channels[index], manifest.channels[index + 1]];
    const messages = outputs.map((_, degree) =>
      paths.reduce((sum, path) => sum + (path.output === degree ? path.channels : 0), 0),
    );
    const radial = (step: number): LinearMap => linear(`layer${index}.radial.${step}`);
    return {
      inputs,
      messages,
      // One scalar is the gate of each channel of a higher degree.
      gated: outputs.map((count, degree) => (degree === 0 ? outputs.reduce((a, b) => a + b, 0) : count)),
      outputs,
      paths,
      selfConnection: byDegree(`layer${index}.self_connection`),
      linearIn: byDegree(`layer${index}.linear_in`),
      linearOut: byDegree(`layer${index}.linear_out`, manifest.denominators[index]),
      radial: [radial(0), radial(1), radial(2)],
      radialWeights: radial(2).outputs,
    };
  });

  const [hidden, energy] = [linear('readout.hidden.l0'), linear('readout.energy.l0')];
  const readout = Float64Array.from({ length: hidden.inputs }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < hidden.outputs; k++)
      sum += hidden.weights[i * hidden.outputs + k] * energy.weights[k];
    return sum;
  });
  return {
    manifest,
    rows: new Map(manifest.atomicNumbers.map((number, row) => [number, row])),
    embedding: tensor('embedding', 1 / Math.sqrt(manifest.atomicNumbers.length)),
    frequencies: tensor('bessel.frequencies'),
    layers,
    readout,
    scales: tensor('energy.scale'),
    shifts: tensor('energy.shift'),
  };
}
