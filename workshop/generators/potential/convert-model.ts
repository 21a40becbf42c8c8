/**
 * Converts a neutral export of a SevenNet checkpoint (`manifest.json`, `weights.f32`, `LICENSE`) to the model of
 * @unitcell/potential.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CutoffFunction, MODEL_FORMAT, type ModelManifest } from '@unitcell/potential';

/** The fields of the export's own manifest that are read here. */
interface Export {
  readonly model: string;
  readonly source: string;
  readonly config: {
    readonly cutoff: number;
    readonly cutoff_function: {
      readonly cutoff_function_name: string;
      readonly cutoff_on?: number;
      readonly poly_cut_p_value?: number;
    };
    readonly lmax: number;
    /** `128x0e+64x1e`, before the first layer and after each. */
    readonly irreps: readonly string[];
    readonly atomic_numbers: readonly number[];
    readonly denominator: readonly number[];
    readonly silu_norm: number;
  };
  readonly paths: readonly (readonly {
    readonly l_in: number;
    readonly l_edge: number;
    readonly l_out: number;
    readonly mul: number;
    readonly weight_offset: number;
    readonly out_channel_offset: number;
  }[])[];
  readonly coupling: ModelManifest['coupling'];
  readonly tensors: ModelManifest['tensors'];
}

function cutoffFunction(entry: Export['config']['cutoff_function']): CutoffFunction {
  if (entry.cutoff_on !== undefined) return { kind: 'switch', start: entry.cutoff_on };
  if (entry.poly_cut_p_value !== undefined) return { kind: 'polynomial', power: entry.poly_cut_p_value };
  throw new Error(`unknown cutoff function ${entry.cutoff_function_name}`);
}

function channelsOf(irreps: string, maxDegree: number): number[] {
  const channels = Array.from({ length: maxDegree + 1 }, () => 0);
  for (const [, count, degree] of irreps.matchAll(/(\d+)x(\d)e/g)) channels[Number(degree)] += Number(count);
  return channels;
}

/** The authors' names of models for which the export has a keyword. */
const NAMES: Readonly<Record<string, string>> = { '7net-l3i5': 'SevenNet-l3i5' };

export function convertModel(folder: string): { manifest: ModelManifest; binary: Buffer; licence: string } {
  const { model, source, config, paths, coupling, tensors } = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  ) as Export;
  const binary = readFileSync(join(folder, 'weights.f32'));
  const licence = readFileSync(join(folder, 'LICENSE'), 'utf8');
  const manifest: ModelManifest = {
    format: MODEL_FORMAT,
    name: NAMES[model] ?? model,
    sha256: createHash('sha256').update(binary).digest('hex'),
    licence: 'MIT',
    copyright: /Copyright .*/.exec(licence)?.[0] ?? '',
    citation:
      'Y. Park, J. Kim, S. Hwang, S. Han, J. Chem. Theory Comput. 20, 4857 (2024), doi:10.1021/acs.jctc.4c00190',
    source,
    cutoff: config.cutoff,
    cutoffFunction: cutoffFunction(config.cutoff_function),
    maxDegree: config.lmax,
    atomicNumbers: config.atomic_numbers,
    channels: config.irreps.map((irreps) => channelsOf(irreps, config.lmax)),
    denominators: config.denominator,
    activationFactor: config.silu_norm,
    paths: paths.map((layer) =>
      layer.map((path) => ({
        input: path.l_in,
        edge: path.l_edge,
        output: path.l_out,
        channels: path.mul,
        weightOffset: path.weight_offset,
        channelOffset: path.out_channel_offset,
      })),
    ),
    coupling,
    tensors: tensors.map(({ name, shape, offset }) => ({ name, shape, offset })),
  };
  return { manifest, binary, licence };
}
