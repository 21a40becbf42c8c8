/**
 * Predictions of the shipped model for crystals of held-out systems (datasets/mp-structures beside the
 * checkout; `all` of about ten thousand, or the first 2,000): error and coverage beside the figures of its
 * card, and the time per prediction. Exit code 1 if a figure of `all` differs.
 */
import { readdirSync } from 'node:fs';
import { chemicalSystem, compositionOf } from '@unitcell/crystal';
import { MAX_GRAPH_ATOMS, predict } from '@unitcell/prediction';
import { openModelInNode } from '@unitcell/prediction/node';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { checkCard } from '../generators/models/card.ts';
import { partOf, readRows, structureOf, SURE_LABELS } from '../generators/models/rows.ts';
import { print, quantile } from './harness.ts';

const isAll = process.argv[2] === 'all';
const most = isAll ? Number.POSITIVE_INFINITY : 2000;
const model = openModelInNode();
checkCard(model.manifest);
const { formationEnergy, bandGap } = model.manifest.metrics;

interface Judged {
  readonly error: number;
  readonly isInside: boolean;
}
const energies: Judged[] = [];
const gaps: Judged[] = [];
const times: number[] = [];
const judged = (
  { value, low, high }: { value: number; low: number; high: number },
  truth: number,
): Judged => ({
  error: Math.abs(value - truth),
  isInside: truth >= low && truth <= high,
});

const folder = sharedPath('datasets', 'mp-structures');
const files = hasSharedData
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl.gz'))
      .sort()
  : [];
if (files.length === 0)
  console.log('SKIPPED: the training data are not beside this checkout');
for (const file of files)
  for await (const row of readRows(`${folder}/${file}`)) {
    if (energies.length >= most) break;
    if (row.ef === undefined || !SURE_LABELS.has(row.es ?? '') || row.n > MAX_GRAPH_ATOMS) continue;
    const structure = structureOf(row);
    const system = chemicalSystem(compositionOf(structure));
    if (partOf(system) !== 'test') continue;
    const begun = performance.now();
    const { formationEnergyPerAtom, bandGap: gap } = predict(model, structure);
    times.push(performance.now() - begun);
    // For elements it is 0 by definition; the card excludes them.
    if (system.includes('-')) energies.push(judged(formationEnergyPerAtom, row.ef));
    if (row.gap !== undefined) gaps.push(judged(gap, row.gap));
  }

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const report = (name: string, rows: readonly Judged[], stated: { mae: number; coverage: number }): void => {
  const [mae, coverage] = [
    mean(rows.map(({ error }) => error)),
    mean(rows.map(({ isInside }) => Number(isInside))),
  ];
  print({
    case: name,
    crystals: rows.length,
    mae,
    statedMae: stated.mae,
    coverage,
    statedCoverage: stated.coverage,
  });
  if (isAll && (Math.abs(mae / stated.mae - 1) > 0.005 || Math.abs(coverage - stated.coverage) > 0.005))
    process.exitCode = 1;
};
if (energies.length > 0) {
  report('formation energy, eV/atom', energies, formationEnergy.test);
  report('PBE gap, eV', gaps, bandGap);
  print({ case: 'one prediction', p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) });
}
