/**
 * Speed of packages/phase-equilibria: `node --import tsx workshop/bench/phase.ts [--compare /usr/bin/python3]`.
 *
 * Prints one JSON line per case: the first call in a fresh process state, the median of the later ones, the CPU
 * time pymatgen 2022.11.7 was measured at for the same task, and the ratio. With `--compare PYTHON` the tasks are
 * also run by the pymatgen of that interpreter, on the same entries, in the same run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFormula } from '../../packages/crystal/src/index.ts';
import { seededRandom } from '../../packages/numerics/src/index.ts';
import {
  buildHull,
  electrochemicalWindow,
  energiesAboveHull,
  interfaceReaction,
  type PhaseEntry,
} from '../../packages/phase-equilibria/src/index.ts';
import { hasSharedData, referenceCases, sharedJsonLines } from '@unitcell/tools/shared-data';

interface Case {
  name: string;
  entries: PhaseEntry[];
  /** Milliseconds of CPU in pymatgen as published with the requirement. */
  pymatgenPublishedMs: number;
  requiredRatio: number;
  /** Prepares what the task is allowed to be given, then returns the task. */
  prepare: () => () => unknown;
  /** The same task in Python, given `entries`. */
  python: { setup: string; task: string };
}

/** Entries of random composition with formation energies in a bowl plus noise: many distinct compositions. */
function syntheticEntries(elements: readonly string[], count: number, seed: number): PhaseEntry[] {
  const random = seededRandom(seed);
  const entries: PhaseEntry[] = elements.map((element) => ({
    id: element,
    composition: { [element]: 1 },
    energy: -3,
  }));
  while (entries.length < count) {
    const amounts = elements.map(() => (random() < 0.25 ? 0 : Math.ceil(6 * random())));
    const atoms = amounts.reduce((sum, amount) => sum + amount, 0);
    if (amounts.filter((amount) => amount > 0).length < 2) continue;
    const mixing = amounts.reduce((sum, amount) => sum + (amount / atoms) ** 2, -1);
    const composition = Object.fromEntries(
      elements.flatMap((element, i) => (amounts[i] > 0 ? [[element, amounts[i]]] : [])),
    );
    const energy = atoms * (-3 + 2 * mixing * (0.7 + 0.3 * random()));
    entries.push({ id: `s${entries.length}`, composition, energy });
  }
  return entries;
}

/** Li-Fe-O as in the reference case of that name, else synthetic. */
function lithiumIronOxides(): PhaseEntry[] {
  const reference = referenceCases<{ entries: PhaseEntry[] }, unknown>('phase').find(
    ({ id }) => id === 'li-fe-o',
  );
  return reference?.input.entries ?? syntheticEntries(['Li', 'Fe', 'O'], 500, 1);
}

/** The pure elements and an even sample of the Fe-Li-O-P dataset, 500 entries in all, else synthetic. */
function lithiumIronPhosphates(): PhaseEntry[] {
  if (!hasSharedData) return syntheticEntries(['Li', 'Fe', 'P', 'O'], 500, 2);
  type Row = { id: string; cell: string; energy: number; correction: number };
  const rows = [...sharedJsonLines<Row>('datasets', 'hull-entries', 'Fe-Li-O-P.jsonl.gz')].map(
    ({ id, cell, energy, correction }) => ({
      id,
      composition: parseFormula(cell),
      energy: energy + correction,
    }),
  );
  const isElement = ({ composition }: PhaseEntry) => Object.keys(composition).length === 1;
  const elements = rows.filter(isElement);
  const others = rows.filter((entry) => !isElement(entry));
  const wanted = 500 - elements.length;
  const sample = Array.from({ length: wanted }, (_, i) => others[Math.floor((i * others.length) / wanted)]);
  return [...elements, ...sample];
}

const hullTask = (entries: PhaseEntry[]) => () => () => energiesAboveHull(buildHull(entries));
const PYTHON_HULL = {
  setup: '',
  task: 'pd = PhaseDiagram(entries)\nfor e in entries: pd.get_e_above_hull(e)',
};

function cases(): Case[] {
  const ternary = lithiumIronOxides();
  const quaternary = lithiumIronPhosphates();
  const large3 = syntheticEntries(['Li', 'Fe', 'O'], 5000, 3);
  const large4 = syntheticEntries(['Li', 'Fe', 'P', 'O'], 5000, 4);
  const hullCase = (name: string, entries: PhaseEntry[], pymatgenPublishedMs: number): Case => ({
    name,
    entries,
    pymatgenPublishedMs,
    requiredRatio: 20,
    prepare: hullTask(entries),
    python: PYTHON_HULL,
  });
  return [
    hullCase('hull + all energies above hull, Li-Fe-O, 500 entries', ternary, 75),
    hullCase('hull + all energies above hull, Li-Fe-P-O, 500 entries', quaternary, 239),
    hullCase('hull + all energies above hull, 3 components, 5,000 entries', large3, 955),
    hullCase('hull + all energies above hull, 4 components, 5,000 entries', large4, 3419),
    {
      name: 'interface reaction FePO4 + Li2O, hull given',
      entries: quaternary,
      pymatgenPublishedMs: 5.3,
      requiredRatio: 10,
      prepare: () => {
        const hull = buildHull(quaternary);
        const [first, second] = [parseFormula('FePO4'), parseFormula('Li2O')];
        return () => interfaceReaction(hull, first, second);
      },
      python: {
        setup: 'pd = PhaseDiagram(entries)\na, b = Composition("FePO4"), Composition("Li2O")',
        task: 'r = InterfacialReactivity(a, b, pd, norm=True)\nr.get_kinks()',
      },
    },
    {
      name: 'voltage profile of FePO4 against Li, hull given',
      entries: quaternary,
      pymatgenPublishedMs: 4.9,
      requiredRatio: 10,
      prepare: () => {
        const hull = buildHull(quaternary);
        const target = parseFormula('FePO4');
        return () => electrochemicalWindow(hull, target, 'Li');
      },
      python: {
        setup: 'pd = PhaseDiagram(entries)\na = Composition("FePO4")',
        task: 'pd.get_element_profile(Element("Li"), a)',
      },
    },
  ];
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function measure(task: () => unknown, runs: number): { firstMs: number; medianMs: number } {
  const once = (): number => {
    const start = performance.now();
    task();
    return performance.now() - start;
  };
  const firstMs = once();
  return { firstMs, medianMs: median(Array.from({ length: runs }, once)) };
}

const PYTHON_HEAD = `
import json, sys, time, warnings
warnings.filterwarnings("ignore")
from pymatgen.core import Composition, Element
from pymatgen.analysis.phase_diagram import PDEntry, PhaseDiagram
from pymatgen.analysis.interface_reactions import InterfacialReactivity
rows = json.load(open(sys.argv[1]))
entries = [PDEntry(Composition(r["composition"]), r["energy"]) for r in rows]
`;

/** Median CPU milliseconds in pymatgen: of three runs, of one where a run takes half a minute. */
function measurePymatgen(python: string, { entries, python: { setup, task } }: Case): number {
  const folder = mkdtempSync(join(tmpdir(), 'phase-bench-'));
  try {
    writeFileSync(join(folder, 'entries.json'), JSON.stringify(entries));
    const body = task.replaceAll('\n', '\n    ');
    const code = `${PYTHON_HEAD}${setup}\ntimes = []\nfor _ in range(${entries.length > 1000 ? 1 : 3}):\n    t = time.process_time()\n    ${body}\n    times.append(time.process_time() - t)\nprint(1000 * sorted(times)[len(times) // 2])\n`;
    return Number(execFileSync(python, ['-c', code, join(folder, 'entries.json')], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const compareAt = process.argv.indexOf('--compare');
const python = compareAt > 0 ? process.argv[compareAt + 1] : undefined;
const digits = (value: number): number => Number(value.toPrecision(4));

for (const entry of cases()) {
  const { firstMs, medianMs } = measure(entry.prepare(), entry.entries.length > 1000 ? 9 : 25);
  const measured = python === undefined ? undefined : measurePymatgen(python, entry);
  console.log(
    JSON.stringify({
      case: entry.name,
      firstMs: digits(firstMs),
      medianMs: digits(medianMs),
      pymatgenPublishedMs: entry.pymatgenPublishedMs,
      ratioToPublished: digits(entry.pymatgenPublishedMs / medianMs),
      requiredRatio: entry.requiredRatio,
      ...(measured === undefined
        ? {}
        : { pymatgenHereMs: digits(measured), ratioHere: digits(measured / medianMs) }),
    }),
  );
}
