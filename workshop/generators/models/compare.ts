/**
 * `tsx workshop/generators/models/compare.ts FILE.jsonl.gz…`: what the code that ships says of a thousand structures never taught and of their
 * formulas, beside what the training code says of the same graphs (agreement.py, PYTHON); the largest differences and the processor's time go
 * into the manifest, a dozen small structures with the training code's answers into the fixtures of @unitcell/prediction.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chemicalSystem, compositionOf } from '@unitcell/crystal';
import {
  compositionGraph,
  type CrystalGraph,
  crystalGraph,
  forward,
  MAX_GRAPH_ATOMS,
  type Predictor,
} from '@unitcell/prediction';
import { openModelInNode } from '@unitcell/prediction/node';
import {
  addFigures,
  FIXTURES,
  MODEL_FOLDER,
  partOf,
  readRows,
  type Row,
  structureOf,
  SURE_LABELS,
} from './rows.ts';

const [COUNT, EVERY, KEPT, SMALL] = [1000, 5, 12, 24];

const model = openModelInNode();
const rows: Row[] = [];
let met = 0;
for (const file of process.argv.slice(2))
  for await (const row of readRows(file)) {
    if (row.ef === undefined || !SURE_LABELS.has(row.es ?? '') || row.n > MAX_GRAPH_ATOMS) continue;
    if (partOf(chemicalSystem(compositionOf(structureOf(row)))) !== 'test') continue;
    if (met++ % EVERY === 0 && rows.length < COUNT) rows.push(row);
  }

/** What the training code says: per graph and member the energy, then the heads. */
function trainingCode(kind: string, graphs: readonly CrystalGraph[]): number[][][] {
  const lines = graphs.map((graph) =>
    JSON.stringify({
      kind,
      ...Object.fromEntries(Object.entries(graph).map(([key, array]) => [key, [...array]])),
    }),
  );
  const { stdout, status, stderr } = spawnSync(
    process.env.PYTHON ?? 'python3',
    ['agreement.py', MODEL_FOLDER],
    {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      input: lines.join('\n'),
      maxBuffer: 2 ** 30,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as number[][]);
}

const ask = ({ members }: Predictor, graph: CrystalGraph): number[][] =>
  members.map((member) => {
    const { energy, heads } = forward(member, graph);
    return [energy, ...heads];
  });

/** Largest differences of the energy and of any head. */
function largest(found: number[][][], said: number[][][]): { energy: number; head: number } {
  let [energy, head] = [0, 0];
  found.forEach((members, row) => {
    members.forEach((values, member) => {
      values.forEach((value, k) => {
        const difference = Math.abs(value - said[row][member][k]);
        if (k === 0) energy = Math.max(energy, difference);
        else head = Math.max(head, difference);
      });
    });
  });
  return { energy, head };
}

const structures = rows.map(structureOf);
const graphs: CrystalGraph[] = [];
const found: number[][][] = [];
let spent = 0;
structures.forEach((structure) => {
  const begun = process.cpuUsage();
  const graph = crystalGraph(structure);
  found.push(ask(model, graph));
  const { user, system } = process.cpuUsage(begun);
  spent += (user + system) / 1000;
  graphs.push(graph);
});
const said = trainingCode('crystal', graphs);
const crystals = largest(found, said);
const formulas = structures.map((structure) =>
  compositionGraph(compositionOf(structure), model.manifest.composition.neighbours),
);
const saidOfFormulas = trainingCode('composition', formulas);
const compositions = largest(
  formulas.map((graph) => ask(model.composition, graph)),
  saidOfFormulas,
);
const kept = rows
  .map(({ id, formula, lat, sp, x }, index) => ({
    row: { id, formula, lat, sp, x },
    said: said[index],
    saidOfFormula: saidOfFormulas[index],
  }))
  .filter((_, index) => rows[index].n <= SMALL)
  .slice(0, KEPT);
writeFileSync(`${FIXTURES}agreement.json`, `${JSON.stringify(kept)}\n`);
const agreement = {
  structures: rows.length,
  meanAtoms: rows.reduce((sum, { n }) => sum + n, 0) / rows.length,
  largestEnergy: crystals.energy,
  largestHead: crystals.head,
  formulas: formulas.length,
  largestOfFormulas: Math.max(compositions.energy, compositions.head),
  processorMillisecondsPerMember: spent / rows.length / model.members.length,
};
addFigures({ agreement });
process.stdout.write(`${JSON.stringify(agreement)}\n`);
