/**
 * Times of building a hull with all energies above it, of an interface reaction and of a voltage profile,
 * compared with the CPU time of pymatgen 2022.11.7 published in the requirement; then of phase diagrams over
 * HTTP, cold (after a change of the catalogue, which empties every cache) and cached.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atomCount, parseFormula, reducedFormula } from '@unitcell/crystal';
import {
  type AqueousSpecies,
  buildHull,
  chemicalPotentialRegion,
  electrochemicalWindow,
  energiesAboveHull,
  interfaceReaction,
  pourbaixDiagram,
  stableEntries,
} from '@unitcell/phase-equilibria';
import { withClient } from '@unitcell/tools/database';
import { referenceCases } from '@unitcell/tools/shared-data';
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

/**
 * Python program that reads entries from standard input and prints the processor time (ms, median of five
 * runs) that pymatgen needs for both diagrams.
 */
const PYMATGEN = `
import json, sys, statistics, time
from pymatgen.analysis.chempot_diagram import ChemicalPotentialDiagram
from pymatgen.analysis.phase_diagram import PDEntry
from pymatgen.analysis.pourbaix_diagram import IonEntry, PourbaixDiagram, PourbaixEntry
from pymatgen.core import Composition
from pymatgen.core.ion import Ion
given = json.load(sys.stdin)
molar = given["concentration"]
def species(one):
    composition = Composition(one["composition"])
    if one["phase"] != "ion": return PourbaixEntry(PDEntry(composition, one["energy"]), one["id"])
    major = next(name for name in one["composition"] if name in molar)
    return PourbaixEntry(IonEntry(Ion(composition, one["charge"]), one["energy"]), one["id"], molar[major])
def median(make):
    def spent():
        begun = time.process_time(); make(); return 1000 * (time.process_time() - begun)
    return statistics.median(spent() for _ in range(5))
phases = [PDEntry(Composition(one["composition"]), one["energy"]) for one in given["phases"]]
entries = [species(one) for one in given["species"]]
ratio = {name: 1 / len(molar) for name in molar}
print(json.dumps([median(lambda: ChemicalPotentialDiagram(phases)),
    median(lambda: PourbaixDiagram(entries, comp_dict=ratio, conc_dict=molar, filter_solids=False))]))
`;

interface WaterCase {
  readonly elements: readonly string[];
  readonly concentration_mol_per_l: Readonly<Record<string, number>>;
  readonly entries: readonly (AqueousSpecies & { readonly id: string; readonly energy_eV: number })[];
  readonly solids_in_hull: readonly string[];
}

const synthetic = syntheticEntries(ELEMENTS.slice(-3), 500, 3);
const water = referenceCases<WaterCase, unknown, unknown>('pourbaix').find(
  ({ id }) => id === 'li-fe-p',
)?.input;
if (water) {
  const { elements, concentration_mol_per_l: concentration, solids_in_hull: solids } = water;
  const species = water.entries
    .map((entry) => ({ ...entry, energy: entry.energy_eV }))
    .filter(({ phase, id }) => phase === 'ion' || solids.includes(id));
  // If PYMATGEN_PYTHON names a Python with pymatgen, both programs make the same diagrams in the same run.
  const python = process.env['PYMATGEN_PYTHON'];
  const input = JSON.stringify({ phases: synthetic, species, concentration });
  const [potentialsMs, pourbaixMs]: (number | undefined)[] = python
    ? JSON.parse(execFileSync(python, ['-c', PYMATGEN], { encoding: 'utf8', input }))
    : [];
  const potentials = (): unknown => {
    const closed = buildHull(synthetic);
    return stableEntries(closed).map(({ composition }) => chemicalPotentialRegion(closed, composition));
  };
  const name = `chemical potentials of all stable phases, 3 components, ${synthetic.length} entries`;
  await measure(name, potentials, {}, { pymatgenMs: potentialsMs });
  const window = { ph: [-2, 16], potential: [-4, 4] } as const;
  const pourbaix = () =>
    pourbaixDiagram(
      { elements, species, concentration },
      elements.map(() => 1),
      window,
    );
  const inWater = `Pourbaix diagram of Li-Fe-P, ${species.length} species`;
  await measure(inWater, pourbaix, {}, { pymatgenMs: pourbaixMs });
}

const system = systemEntries().map(({ sp, energy, correction = 0 }) => ({
  composition: Object.fromEntries(
    [...new Set(sp)].map((element) => [element, sp.filter((one) => one === element).length]),
  ),
  energy: (energy + correction) / sp.length,
}));
const elementEnergy = (symbol: string): number =>
  Math.min(
    ...system.flatMap(({ composition, energy }) =>
      Object.keys(composition).join() === symbol ? energy : [],
    ),
  );
const zero = new Map(ELEMENTS.map((element) => [element, elementEnergy(element)]));
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
// Every move of the slider requests another temperature, so no answer is cached.
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
      classErrors: [],
      scaleFailures: [],
      deviations: { byClass: { oxide: 0.108 }, all: null },
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
