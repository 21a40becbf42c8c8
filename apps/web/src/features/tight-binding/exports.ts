/** The files of the page. */
import { kPathCorners, toModelJson, toPythTbScript } from '@unitcell/tight-binding';
import { toCsv } from '../../lib/download.ts';
import { csvWithOrigin, jsonWithOrigin, type OriginFact, originLine } from '../../lib/file-origin.ts';
import type { BandsAnswer, ModelSettings } from './solver/messages.ts';
import { modelOf } from './solver/solve.ts';

/**
 * What a file of the page says of itself: the model, how its numbers were made, how to cite them.
 * @param link address of the state, which recomputes them
 * @param day `2026-11-22`
 */
export function tightBindingOrigin(
  { net, t1, t2, onsite, rule, fluxRad }: ModelSettings,
  link: string,
  day: string,
): readonly OriginFact[] {
  const name = `Unitcell tight-binding model of the plane net ${net.id} (${net.planeGroup})`;
  const second =
    t2 === 0
      ? 't2 = 0'
      : `t2 = ${t2} (second neighbours by ${rule}), Haldane flux ${Number(((fluxRad * 180) / Math.PI).toFixed(6))} degrees`;
  return [
    ['entry', name],
    ['address', link],
    [
      'source',
      'calculated here in the browser from the parameters alone: no measurement, no first-principles result',
    ],
    [
      'model',
      `one orbital per site, no spin; energies in |t|: t1 = ${t1}, ${second}, on-site energies of ${net.orbits.map(({ symbol }, orbit) => `${symbol} ${onsite[orbit] ?? 0}`).join(', ')}`,
    ],
    ['method', 'Bloch Hamiltonian diagonalised along the k-path; docs/science/tight-binding.md'],
    ['cite', `${name}, t1 = ${t1}, ${second}. ${link} (accessed ${day}).`],
    ['downloaded', day],
  ];
}

/** One row per k-point: distance, k in fractions, its name at corners, and every band. */
export function bandsCsv(
  { kDist, kPoints, bands, hspNodes, hspLabels }: BandsAnswer,
  origin: readonly OriginFact[],
): string {
  const header = ['k_dist', 'k1', 'k2', 'label', ...bands.map((_, band) => `band ${band + 1}`)];
  const labelAt = (k: number): string =>
    hspLabels[hspNodes.findIndex((node) => Math.abs(node - k) < 1e-9)] ?? '';
  const rows = kDist.map((k, point) => [
    k,
    ...(kPoints[point] ?? []),
    labelAt(k),
    ...bands.map((band) => band[point]),
  ]);
  return csvWithOrigin(toCsv(header, rows), origin);
}

export const modelJson = (settings: ModelSettings, origin: readonly OriginFact[]): string =>
  jsonWithOrigin(JSON.parse(toModelJson(modelOf(settings))) as object, origin);

export const pythTbScript = (settings: ModelSettings, origin: readonly OriginFact[]): string =>
  [
    ...origin.map((fact) => `# ${fact[0]}: ${originLine([fact])}`),
    toPythTbScript(modelOf(settings), kPathCorners(settings.net.planeGroup, settings.net.latticeVectors)),
  ].join('\n');
