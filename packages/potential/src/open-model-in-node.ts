/// <reference types="node" />
/**
 * Node entry `@unitcell/potential/node`: reads the weights included in the package. Only this file of the package may
 * access the file system; the main entry never imports it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Engine } from './engine.ts';
import { fastEngine } from './fast-engine.ts';
import { kernelShapes, type ModelManifest } from './model-file.ts';
import { PotentialError } from './potential-error.ts';
import { type Model, readModel } from './read-model.ts';

/** Folders of the included models. */
const FOLDERS = { 'sevennet-0': '../model/', 'sevennet-l3i5': '../model/l3i5/' } as const;

/** `sevennet-l3i5` is more accurate and takes three times as long (docs/methods/potential.md). */
export type IncludedModel = keyof typeof FOLDERS;

const fileOf = (name: IncludedModel, file: string): Buffer =>
  readFileSync(new URL(FOLDERS[name] + file, import.meta.url));

/** The manifest of an included model, without its weights. */
export const manifestInNode = (name: IncludedModel = 'sevennet-0'): ModelManifest =>
  JSON.parse(fileOf(name, 'model.json').toString()) as ModelManifest;

/** @throws PotentialError `model-file` if the SHA-256 of the weights differs from the manifest */
export function openModelInNode(name: IncludedModel = 'sevennet-0'): Model {
  const manifest = manifestInNode(name);
  const binary = fileOf(name, 'model.bin');
  const found = createHash('sha256').update(binary).digest('hex');
  if (found !== manifest.sha256)
    throw new PotentialError(
      'model-file',
      `model.bin has the SHA-256 ${found}; model.json names ${manifest.sha256}`,
    );
  return readModel(manifest, binary);
}

/** The fast engine of an included model. @throws PotentialError `model-file` */
export function openEngineInNode(name: IncludedModel): { readonly name: string; readonly engine: Engine } {
  const model = openModelInNode(name);
  const { manifest } = model;
  // The kernel of the first model is in the code, because browsers use it.
  const engine =
    name === 'sevennet-0'
      ? fastEngine(model)
      : fastEngine(model, {
          shapes: kernelShapes(manifest),
          bytes: new Uint8Array(fileOf(name, 'kernel.wasm')),
        });
  return { name: manifest.name, engine };
}
