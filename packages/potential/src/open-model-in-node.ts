/// <reference types="node" />
/**
 * Node entry `@unitcell/potential/node`: reads the weights included in the package. Only this file of the package may
 * access the file system; the main entry never imports it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ModelManifest } from './model-file.ts';
import { PotentialError } from './potential-error.ts';
import { type Model, readModel } from './read-model.ts';

const SHIPPED = new URL('../model/', import.meta.url);

/**
 * The model in a folder; without a folder, the included model.
 * @throws PotentialError `model-file`, also if the SHA-256 of the weights differs from the manifest
 */
export function openModelInNode(folder: URL = SHIPPED): Model {
  const manifest = JSON.parse(readFileSync(new URL('model.json', folder), 'utf8')) as ModelManifest;
  const binary = readFileSync(new URL('model.bin', folder));
  const found = createHash('sha256').update(binary).digest('hex');
  if (found !== manifest.sha256)
    throw new PotentialError(
      'model-file',
      `model.bin has the SHA-256 ${found}; model.json names ${manifest.sha256}`,
    );
  return readModel(manifest, binary);
}
