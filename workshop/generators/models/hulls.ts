/** Data for the evaluation: the hull at every crystal outside the training set, and the measured gaps. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chemicalSystem, type Composition, parseFormula } from '@unitcell/crystal';
import { buildHull, energyAboveHull } from '@unitcell/phase-equilibria';
import { MAX_GRAPH_ATOMS } from '@unitcell/prediction';
import { partOf, readRows, SURE_LABELS } from './rows.ts';

interface Entry {
  readonly id: string;
  readonly composition: Composition;
  /** eV, of all atoms */
  readonly energy: number;
}

const subsystems = (elements: readonly string[]): string[][] =>
  elements.reduce<string[][]>((sets, element) => [...sets, ...sets.map((set) => [...set, element])], [[]]);

/** eV/atom above the hull of all other crystals; negative if the crystal is itself a corner of the hull. */
function aboveOthers(
  bySystem: ReadonlyMap<string, readonly Entry[]>,
  entry: Entry,
  elements: readonly string[],
): number {
  const others = subsystems(elements)
    .flatMap((subset) => bySystem.get(subset.join('-')) ?? [])
    .filter(({ id }) => id !== entry.id);
  const pure = elements.map((element) => ({ id: element, composition: { [element]: 1 }, energy: 0 }));
  return energyAboveHull(buildHull([...pure, ...others], { elements }), entry);
}

/**
 * Writes for every crystal outside the training set the hull of all others at its composition, eV/atom,
 * elements at 0: one line `{"id", "hull"}` each in `hulls.jsonl`. For a crystal above the hull of the whole
 * set, this hull is the result.
 */
export async function writeHulls(folder: string, files: readonly string[]): Promise<void> {
  const bySystem = new Map<string, Entry[]>();
  const asked: { entry: Entry; perAtom: number; aboveHull: number; elements: string[] }[] = [];
  for (const file of files)
    for await (const { id, cell, n, ef, eh, es } of readRows(file)) {
      if (ef === undefined || eh === undefined) continue;
      const composition = parseFormula(cell);
      const elements = Object.keys(composition).sort();
      const system = chemicalSystem(composition);
      if (elements.length < 2) continue;
      const entry = { id, composition, energy: ef * n };
      if (ef < 0) {
        const known = bySystem.get(system);
        if (known) known.push(entry);
        else bySystem.set(system, [entry]);
      }
      if (es !== undefined && SURE_LABELS.has(es) && n <= MAX_GRAPH_ATOMS && partOf(system) !== 'train')
        asked.push({ entry, perAtom: ef, aboveHull: eh, elements });
    }
  const lines = asked.map(({ entry, perAtom, aboveHull, elements }) => {
    const distance = aboveHull > 0 ? aboveHull : aboveOthers(bySystem, entry, elements);
    return JSON.stringify({ id: entry.id, hull: Number((perAtom - distance).toFixed(6)) });
  });
  writeFileSync(join(folder, 'hulls.jsonl'), `${lines.join('\n')}\n`);
}

/**
 * Writes formulas with a measured gap (eV) from a table, and the split (training or evaluation) of their
 * chemical system, as JSON lines.
 */
export function writeMeasuredGaps(folder: string, file: string): void {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [formula, gap] = line.split(',');
      const amounts = parseFormula(formula);
      return JSON.stringify({ formula, amounts, part: partOf(chemicalSystem(amounts)), gap: Number(gap) });
    });
  writeFileSync(join(folder, 'measured-gaps.jsonl'), `${lines.join('\n')}\n`);
}
