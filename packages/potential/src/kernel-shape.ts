/**
 * The properties of a model on which the generated kernel depends: channels and tensor products of the layers, but not
 * the weights.
 */
import type { ModelManifest } from './model-file.ts';

type Shape = Pick<ModelManifest, 'channels' | 'paths'>;

const shapeOfLayer = ({ channels, paths }: Shape, layer: number): string =>
  [
    channels[layer].join(','),
    ...paths[layer].map(
      ({ input, edge, output, channels: count, channelOffset }) =>
        `${input}${edge}${output}:${count}@${channelOffset}`,
    ),
  ].join(' ');

/** The distinct shapes of layers in order of appearance; the kernel has two functions for each. */
export const kernelShapes = (shape: Shape): readonly string[] => [
  ...new Set(shape.paths.map((_, layer) => shapeOfLayer(shape, layer))),
];

/** For each layer the index of its shape among the distinct shapes. */
export function layerKinds(shape: Shape): readonly number[] {
  const kinds = kernelShapes(shape);
  return shape.paths.map((_, layer) => kinds.indexOf(shapeOfLayer(shape, layer)));
}
