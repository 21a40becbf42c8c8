/** The files of the model that ships, or of an operator's own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelManifest, ModelMetrics } from '@unitcell/prediction';

export const MODEL_FOLDER =
  process.env.MODEL_FOLDER ?? fileURLToPath(new URL('../../../packages/prediction/model/', import.meta.url));
export const FIXTURES = fileURLToPath(new URL('../../../packages/prediction/src/fixtures/', import.meta.url));

/** What is written on the way to a model. */
export const TRAINING_FOLDER =
  process.env.TRAINING_FOLDER ??
  fileURLToPath(new URL('../../../node_modules/.cache/unitcell-models/', import.meta.url));

/** Puts figures that the program itself measures into the manifest. */
export function addFigures(figures: Partial<ModelMetrics>): void {
  const file = join(MODEL_FOLDER, 'model.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as ModelManifest;
  writeFileSync(file, JSON.stringify({ ...manifest, metrics: { ...manifest.metrics, ...figures } }));
}
