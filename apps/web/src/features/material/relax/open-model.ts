/** The model of the potential in a browser, from the files that the site serves; its twin for Node is `@unitcell/potential/node`. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Model, type ModelManifest, PotentialError, readModel } from '@unitcell/potential';
import weightsUrl from '@unitcell/potential/model.bin?url';
import manifestUrl from '@unitcell/potential/model.json?url';

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new PotentialError('model-file', `${url} could not be fetched`);
  return response;
}

/** @throws PotentialError `model-file` without a connection, and when the weights are not those that the manifest names */
export async function openModel(): Promise<Model> {
  const [manifest, binary] = await Promise.all([
    fetched(manifestUrl).then((response) => response.json() as Promise<ModelManifest>),
    fetched(weightsUrl).then(async (response) => new Uint8Array(await response.arrayBuffer())),
  ]);
  // By hand: the browser's own hash is for pages over https only.
  if (bytesToHex(sha256(binary)) !== manifest.sha256)
    throw new PotentialError('model-file', 'the weights are not those that the manifest names');
  return readModel(manifest, binary);
}
