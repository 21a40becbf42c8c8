/**
 * The rows of the training set (described in its README), the split into training and evaluation, and the
 * folders of a model.
 *
 * The split is by chemical system, so that no formula of an evaluated system was trained on: if the first byte
 * of the SHA-1 of its elements in alphabetical order is below 13, the system is never used for training,
 * calibration or selection. A system is outside the training set if the hash of either spelling, with hyphens
 * (`Fe-O`) or without (`FeO`), is below 13. The published table uses the spelling with hyphens.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { type MpStructure, speciesOf } from '../../../apps/api/src/testing/mp-structures.ts';

export const MODEL_FOLDER =
  process.env.MODEL_FOLDER ?? fileURLToPath(new URL('../../../packages/prediction/model/', import.meta.url));
export const TRAINING_FOLDER =
  process.env.TRAINING_FOLDER ??
  fileURLToPath(new URL('../../../node_modules/.cache/unitcell-models/', import.meta.url));

/** Reliable methods of joining energies to structures (README of the set). */
export const SURE_LABELS: ReadonlySet<string> = new Set(['id', 'cell', 'near', 'comp']);

/**
 * Å. Distances that differ by less than this are equal: coordinates rounded at 1e-5 of the cell change them
 * by about 1e-4 Å.
 */
export const TRAINING_TOLERANCE = 0.01;

/** A structure with the content of the cell, the number of atoms and the distance to the hull. */
export interface Row extends MpStructure {
  readonly formula: string;
  readonly cell: string;
  readonly n: number;
  readonly eh?: number;
}

export function structureOf({ lat: [a, b, c, alpha, beta, gamma], sp, x }: Row): Structure {
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    sites: speciesOf(sp).map((symbol, i) => orderedSite(symbol, [x[3 * i], x[3 * i + 1], x[3 * i + 2]])),
  };
}

export const structureFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort()
    .map((name) => join(folder, name));

export async function* readRows(file: string): AsyncGenerator<Row> {
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  for await (const line of lines) yield JSON.parse(line) as Row;
}

export type Part = 'train' | 'calibrate' | 'test' | 'unused';

const TEST_BELOW = 13;
/** Threshold of the hash's second byte, which selects a tenth of the systems. */
const CALIBRATE_BELOW = 26;

const sha1 = (text: string): Buffer => createHash('sha1').update(text).digest();

/** The part of a chemical system given as `Fe-Li-O-P`, elements in alphabetical order. */
export function partOf(chemicalSystem: string): Part {
  const hash = sha1(chemicalSystem);
  if (hash[0] < TEST_BELOW) return 'test';
  if (sha1(chemicalSystem.replaceAll('-', ''))[0] < TEST_BELOW) return 'unused';
  return hash[1] < CALIBRATE_BELOW ? 'calibrate' : 'train';
}
