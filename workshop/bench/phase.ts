/**
 * Hulls: building one with all energies above it, an interface reaction and a voltage profile, beside the CPU
 * time of pymatgen 2022.11.7 published with the requirement; then phase diagrams over HTTP, cold (after a
 * change of the catalogue, which empties every cache) and cached.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFormula } from '@unitcell/crystal';
import {
  buildHull,
  electrochemicalWindow,
  energiesAboveHull,
  interfaceReaction,
} from '@unitcell/phase-equilibria';
import { withClient } from '@unitcell/tools/database';
import { syntheticEntries, systemLines } from './data.ts';
import { ask, measure, operate, print, quantile, withApi, withDatabase } from './harness.ts';

const ELEMENTS = ['Li', 'Fe', 'P', 'O'];
const SCALE = 'PBE (benchmark)';

for (const [components, count, pymatgenMs] of [
  [3, 500, 75],
  [4, 500, 239],
  [3, 5000, 955],
  [4, 5000, 3419],
] as const) {
  const entries = syntheticEntries(ELEMENTS.slice(-components), count, components);
  const name = `hull and all energies above it, ${components} components, ${count} entries`;
  await measure(name, () => energiesAboveHull(buildHull(entries)), { rounds: 25, warmUp: 2 }, { pymatgenMs });
}
const hull = buildHull(syntheticEntries(ELEMENTS, 500, 2));
const [phosphate, oxide] = [parseFormula('FePO4'), parseFormula('Li2O')];
await measure(
  'interface reaction, hull given',
  () => interfaceReaction(hull, phosphate, oxide),
  {},
  { pymatgenMs: 5.3 },
);
await measure(
  'voltage profile, hull given',
  () => electrochemicalWindow(hull, phosphate, 'Li'),
  {},
  { pymatgenMs: 4.9 },
);

const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
const file = join(folder, 'system.jsonl');
writeFileSync(file, systemLines(SCALE).join('\n'));
await withDatabase(async (url) => {
  await operate(url, 'import', file);
  await withApi(url, { UNITCELL_ENERGY_SCALE: SCALE }, (api) =>
    withClient(url, async (client) => {
      for (const count of [2, 3, 4]) {
        const include = ELEMENTS.slice(-count).join(' ');
        const diagram = (encoding: string) =>
          ask(api, '/api/phase_diagram/phase_diagram_handle/', { include }, { 'accept-encoding': encoding });
        const cold: number[] = [];
        for (let round = 0; round < 100; round++) {
          await client.query("SELECT pg_notify('catalogue_changed', '')");
          // The notification arrives on a separate connection.
          await new Promise((wake) => setTimeout(wake, 30));
          const begun = performance.now();
          await diagram('gzip');
          cold.push(performance.now() - begun);
        }
        print({ case: `${include}, cold`, p50Ms: quantile(cold, 0.5), p95Ms: quantile(cold, 0.95) });
        for (const encoding of ['identity', 'gzip'])
          await measure(`${include}, cached, ${encoding}`, () => diagram(encoding), {
            rounds: 1000,
            cpuMs: api.cpuMs,
          });
      }
    }),
  );
}).finally(() => rmSync(folder, { recursive: true }));
