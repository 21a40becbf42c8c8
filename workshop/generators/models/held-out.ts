/** All crystals, formulas and measured gaps that judge, from the data that the model was made of. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chemicalSystem, type Composition, parseFormula, type Structure } from '@unitcell/crystal';
import { type CompoundClass, compoundClass, MAX_GRAPH_ATOMS } from '@unitcell/prediction';
import { readRows, type Row, structureOf, SURE_LABELS } from './read-rows.ts';
import { type Part, partOf } from './split.ts';

/** What is known of a crystal, or of the lowest crystal of a formula. */
export interface Known {
  readonly id: string;
  readonly part: Part;
  readonly system: string;
  readonly group: CompoundClass;
  readonly composition: Composition;
  /** eV/atom */
  readonly energy: number;
  /** eV, PBE */
  readonly gap: number | undefined;
  /** GPa */
  readonly log10: { readonly bulkModulus: number; readonly shearModulus: number } | undefined;
}
export interface KnownCrystal extends Known {
  readonly structure: () => Structure;
}
export interface MeasuredGap {
  readonly composition: Composition;
  /** eV */
  readonly gap: number;
}
export interface HeldOut {
  /** Of the systems that judge, and of those that are never taught either. */
  readonly crystals: readonly KnownCrystal[];
  readonly formulas: readonly Known[];
  readonly measured: readonly MeasuredGap[];
}

/** The content of a cell, however it is written. */
const cellKey = (cell: string): string => (cell.match(/[A-Z][a-z]?\d+/g) ?? []).sort().join('');
const csv = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
const add = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Moduli by the content of the cell, where it is there once. */
function readModuli(file: string): Map<string, NonNullable<Known['log10']>> {
  const [head = [], ...lines] = csv(gunzipSync(readFileSync(file)).toString());
  const [cell, bulk, shear] = ['cell', 'log10_K_VRH_GPa', 'log10_G_VRH_GPa'].map((name) =>
    head.indexOf(name),
  );
  const counts = new Map<string, number>();
  for (const line of lines) add(counts, cellKey(line[cell]));
  return new Map(
    lines.flatMap((line) => {
      const key = cellKey(line[cell]);
      const log10 = { bulkModulus: Number(line[bulk]), shearModulus: Number(line[shear]) };
      return counts.get(key) === 1 ? [[key, log10]] : [];
    }),
  );
}

const readMeasured = (file: string): MeasuredGap[] =>
  csv(readFileSync(file, 'utf8'))
    .slice(1)
    .map(([formula, gap]) => ({ composition: parseFormula(formula), gap: Number(gap) }))
    .filter(({ composition }) => partOf(chemicalSystem(composition)) === 'test');

/** @param structures folder of the structures @param tables folder of moduli and measured gaps */
export async function readHeldOut(structures: string, tables: string): Promise<HeldOut> {
  const moduli = readModuli(join(tables, 'moduli_vrh_cells.csv.gz'));
  const cells = new Map<string, number>();
  const rows: Row[] = [];
  const files = readdirSync(structures).filter((name) => name.endsWith('.jsonl.gz'));
  for (const file of files.sort())
    for await (const row of readRows(join(structures, file))) {
      if (row.es === undefined || !SURE_LABELS.has(row.es) || row.n > MAX_GRAPH_ATOMS) continue;
      add(cells, cellKey(row.cell));
      const part = partOf(chemicalSystem(parseFormula(row.cell)));
      if (part === 'test' || part === 'unused') rows.push(row);
    }
  const crystals = rows.map((row): KnownCrystal => {
    const composition = parseFormula(row.cell);
    const [system, key] = [chemicalSystem(composition), cellKey(row.cell)];
    return {
      id: row.id,
      part: partOf(system),
      system,
      group: compoundClass(Object.keys(composition)),
      composition,
      energy: row.ef!,
      gap: row.gap,
      log10: cells.get(key) === 1 ? moduli.get(key) : undefined,
      structure: () => structureOf(row),
    };
  });
  const lowest = new Map<string, KnownCrystal>();
  crystals.forEach((crystal, k) => {
    const known = lowest.get(rows[k].formula);
    if (!known || crystal.energy < known.energy) lowest.set(rows[k].formula, crystal);
  });
  return { crystals, formulas: [...lowest.values()], measured: readMeasured(join(tables, 'expt_gap.csv')) };
}
