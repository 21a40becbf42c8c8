/**
 * Predictions of the shipped model for crystals of held-out systems (datasets/mp-structures beside the
 * checkout; `all` of about ten thousand, or the first 2,000): error and coverage compared with the figures in
 * the model's manifest, and the time per prediction. Exit code 1 if a figure of `all` differs.
 */
import { chemicalSystem, compositionOf } from '@unitcell/crystal';
import { MAX_GRAPH_ATOMS, predict } from '@unitcell/prediction';
import { openModelInNode } from '@unitcell/prediction/node';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { partOf, readRows, structureFiles, structureOf, SURE_LABELS } from '../generators/models/rows.ts';
import { print, quantile } from './harness.ts';

const isAll = process.argv[2] === 'all';
const most = isAll ? Number.POSITIVE_INFINITY : 2000;
const model = openModelInNode();
const { formationEnergy, bandGap } = model.manifest.metrics;
const times: number[] = [];

/** Counts predictions, their errors and the values inside their intervals. */
function judge() {
  const seen = { crystals: 0, errors: 0, inside: 0 };
  return {
    seen,
    add({ value, low, high }: { value: number; low: number; high: number }, truth: number): void {
      seen.crystals++;
      seen.errors += Math.abs(value - truth);
      seen.inside += Number(truth >= low && truth <= high);
    },
    report(name: string, stated: { mae: number; coverage: number }): void {
      const { crystals, errors, inside } = seen;
      const [mae, coverage] = [errors / crystals, inside / crystals];
      print({ case: name, crystals, mae, statedMae: stated.mae, coverage, statedCoverage: stated.coverage });
      const isFar = Math.abs(mae / stated.mae - 1) > 0.005 || Math.abs(coverage - stated.coverage) > 0.005;
      if (isAll && isFar) process.exitCode = 1;
    },
  };
}

const [energies, gaps] = [judge(), judge()];
if (!hasSharedData) console.log('SKIPPED: the training data are not beside this checkout');
else {
  for (const file of structureFiles(sharedPath('datasets', 'mp-structures')))
    for await (const row of readRows(file)) {
      if (energies.seen.crystals >= most) break;
      if (row.ef === undefined || !SURE_LABELS.has(row.es ?? '') || row.n > MAX_GRAPH_ATOMS) continue;
      const structure = structureOf(row);
      const system = chemicalSystem(compositionOf(structure));
      if (partOf(system) !== 'test') continue;
      const begun = performance.now();
      const { formationEnergyPerAtom, bandGap: gap } = predict(model, structure);
      times.push(performance.now() - begun);
      // The formation energy of an element is 0 by definition, so elements are excluded.
      if (system.includes('-')) energies.add(formationEnergyPerAtom, row.ef);
      if (row.gap !== undefined) gaps.add(gap, row.gap);
    }
  energies.report('formation energy, eV/atom', formationEnergy.test);
  gaps.report('PBE gap, eV', bandGap);
  print({ case: 'one prediction', p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) });
}
