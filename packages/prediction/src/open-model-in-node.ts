/// <reference types="node" />
/**
 * Node entry `@unitcell/prediction/node`: finds and reads the weights included in the package. The only file of the
 * package that may access the file system; the main entry never imports it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ModelManifest } from './model-file.ts';
import { PredictionError } from './prediction-error.ts';
import { type Model, readModel } from './read-model.ts';

const SHIPPED = new URL('../model/', import.meta.url);

/** The content of `model.json` in a folder; by default that of the included model. */
export const manifestInNode = (folder: URL = SHIPPED): ModelManifest =>
  JSON.parse(readFileSync(new URL('model.json', folder), 'utf8')) as ModelManifest;

/** The model name used in predictions: the first 12 hexadecimal digits of the SHA-256 of the weights. */
export const nameOfModel = ({ sha256 }: Pick<ModelManifest, 'sha256'>): string => sha256.slice(0, 12);

/**
 * The model in a folder; by default the included model.
 * @throws PredictionError `model-file`, also if the SHA-256 of the weights differs from the manifest
 */
export function openModelInNode(folder: URL = SHIPPED): Model {
  const manifest = manifestInNode(folder);
  const binary = readFileSync(new URL('model.bin', folder));
  const found = createHash('sha256').update(binary).digest('hex');
  if (found !== manifest.sha256)
    throw new PredictionError(
      'model-file',
      `model.bin has the SHA-256 ${found}; model.json names ${manifest.sha256}`,
    );
  return readModel(manifest, binary);
}
