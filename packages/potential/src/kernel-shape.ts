/** What the generated kernel depends on: the channels and tensor products of the layers, not the weights. */
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

/** Which of the distinct shapes each layer has. */
export function layerKinds(shape: Shape): readonly number[] {
  const kinds = kernelShapes(shape);
  return shape.paths.map((_, layer) => kinds.indexOf(shapeOfLayer(shape, layer)));
}
