/**
 * Hulls: building one with all energies above it, an interface reaction and a voltage profile, beside the CPU
 * time of pymatgen 2022.11.7 published with the requirement; then phase diagrams over HTTP, cold (after a
 * change of the catalogue, which empties every cache) and cached.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atomCount, parseFormula, reducedFormula } from '@unitcell/crystal';
import {
  buildHull,
  electrochemicalWindow,
  energiesAboveHull,
  interfaceReaction,
} from '@unitcell/phase-equilibria';
import { withClient } from '@unitcell/tools/database';
import { drawPhaseDiagram } from '../../apps/api/src/features/phase-diagram/phase-diagram.thread.ts';
import { syntheticEntries, systemEntries, systemLines } from './data.ts';
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

const system = systemEntries().map(({ sp, energy, correction = 0 }) => ({
  composition: Object.fromEntries(
    [...new Set(sp)].map((element) => [element, sp.filter((one) => one === element).length]),
  ),
  energy: (energy + correction) / sp.length,
}));
const reference = (symbol: string): number =>
  Math.min(
    ...system.flatMap(({ composition, energy }) =>
      Object.keys(composition).join() === symbol ? energy : [],
    ),
  );
const zero = new Map(ELEMENTS.map((element) => [element, reference(element)]));
const phases = system.map(({ composition, energy }, structId) => ({
  structId,
  formulaReduced: reducedFormula(composition),
  formationEnergyPerAtom: Object.entries(composition).reduce(
    (sum, [element, amount]) => sum - ((zero.get(element) ?? 0) * amount) / atomCount(composition),
    energy,
  ),
  spaceGroup: 'P1',
  density: 3,
}));
let temperature = 300;
// Every redraw of the slider has another temperature, and no answer is cached.
await measure(
  `phase diagram at temperature, Li-Fe-P-O, ${phases.length} entries`,
  () => {
    temperature = temperature >= 1800 ? 300 : temperature + 25;
    return drawPhaseDiagram({
      components: ELEMENTS.map((label) => ({ label, composition: { [label]: 1 } })),
      phases,
      scale: { functional: SCALE, release: null },
      completeness: {
        status: 'not-known',
        chemical_system: 'Fe-Li-O-P',
        missing: [],
        missing_count: 0,
        bounds: {},
        source: null,
      },
      expectedErrors: [],
      scaleFailures: [],
      errorsByClass: { oxide: 0.108 },
      temperature,
    });
  },
  { rounds: 50, warmUp: 5 },
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
