/** The files of the page. */
import { kPathCorners, toModelJson, toPythTbScript } from '@unitcell/tight-binding';
import { toCsv } from '../../lib/csv.ts';
import type { BandsAnswer, ModelSettings } from './solver/messages.ts';
import { modelOf } from './solver/solve.ts';

/** One row per k-point: distance, k in fractions, its name at corners, and every band. */
export function bandsCsv({ kDist, kPoints, bands, hspNodes, hspLabels }: BandsAnswer): string {
  const header = ['k_dist', 'k1', 'k2', 'label', ...bands.map((_, band) => `band ${band + 1}`)];
  const labelAt = (k: number): string =>
    hspLabels[hspNodes.findIndex((node) => Math.abs(node - k) < 1e-9)] ?? '';
  return toCsv(
    header,
    kDist.map((k, point) => [k, ...(kPoints[point] ?? []), labelAt(k), ...bands.map((band) => band[point])]),
  );
}

export const modelJson = (settings: ModelSettings): string => toModelJson(modelOf(settings));

export const pythTbScript = (settings: ModelSettings): string =>
  toPythTbScript(modelOf(settings), kPathCorners(settings.net.planeGroup, settings.net.latticeVectors));
