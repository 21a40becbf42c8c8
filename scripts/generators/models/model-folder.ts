/** The files of the model that ships. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ModelManifest, ModelMetrics } from '@unitcell/prediction';

export const MODEL_FOLDER = fileURLToPath(new URL('../../../packages/prediction/model/', import.meta.url));
export const FIXTURES = fileURLToPath(new URL('../../../packages/prediction/src/fixtures/', import.meta.url));

/** Puts figures that the program itself measures into the manifest. */
export function addFigures(figures: Partial<ModelMetrics>): void {
  const file = `${MODEL_FOLDER}model.json`;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as ModelManifest;
  writeFileSync(file, JSON.stringify({ ...manifest, metrics: { ...manifest.metrics, ...figures } }));
}
