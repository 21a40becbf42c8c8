/** Relaxes a crystal off the main thread. The page terminates the worker to stop it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { PredictedPhonons } from '@unitcell/contract/run4u';
import {
  type Engine,
  fastEngine,
  type Model,
  type ModelManifest,
  PotentialError,
  readModel,
} from '@unitcell/potential';
import symmetryUrl from '@spglib/moyo-wasm/moyo_wasm_bg.wasm?url';
import weightsUrl from '@unitcell/potential/model.bin?url';
import manifestUrl from '@unitcell/potential/model.json?url';
import { failureOf, type RelaxMessage, type RelaxRequest, runRelaxation, stillOf } from './relax-run.ts';

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new PotentialError('model-file', `${url} could not be fetched`);
  return response;
}

/**
 * Fetches the model from the site's own files; the Node version is `@unitcell/potential/node`.
 * @throws PotentialError `model-file` without a connection or if the weights do not match the manifest
 */
async function openModel(): Promise<Model> {
  const [manifest, binary] = await Promise.all([
    fetched(manifestUrl).then((response) => response.json() as Promise<ModelManifest>),
    fetched(weightsUrl).then(async (response) => new Uint8Array(await response.arrayBuffer())),
  ]);
  // The browser's own SHA-256 works only on https pages.
  if (bytesToHex(sha256(binary)) !== manifest.sha256)
    throw new PotentialError('model-file', 'the weights are not those that the manifest names');
  return readModel(manifest, binary);
}

// A worker has no target origin; the rule is about windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const tell = (message: RelaxMessage): void => self.postMessage(message);

let engine: Promise<Engine> | undefined;

/** The code for symmetry, 230 kB, is fetched only for phonons. */
async function phononsOf(opened: Engine, { structure }: RelaxRequest): Promise<PredictedPhonons> {
  const [code, wasm] = await Promise.all([import('./relax-phonons.ts'), fetched(symmetryUrl)]);
  code.initSymmetry(await wasm.arrayBuffer());
  return code.phononsOf(opened, structure, tell);
}

async function answer(request: RelaxRequest): Promise<void> {
  try {
    engine ??= openModel().then((model) => fastEngine(model));
    const opened = await engine;
    if (request.only === 'still') tell({ kind: 'still', still: stillOf(opened, request) });
    else if (request.only === 'phonons') tell({ kind: 'phonons', phonons: await phononsOf(opened, request) });
    else runRelaxation(opened, request, tell);
  } catch (error) {
    tell(failureOf(error, request.only === 'phonons' ? 'no-phonons' : 'failed'));
  }
}

self.addEventListener('message', ({ data }: MessageEvent<RelaxRequest>) => void answer(data));
