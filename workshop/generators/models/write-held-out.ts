/**
 * `tsx workshop/generators/models/write-held-out.ts FOLDER FILE.jsonl.gz…`: crystals, formulas and measured gaps of systems never taught as
 * fixtures of @unitcell/prediction, so many of every class, drawn by the SHA-1 of their names: nothing that was predicted has a say.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Composition, chemicalSystem, compositionOf, parseFormula } from '@unitcell/crystal';
import { compoundClass } from '@unitcell/prediction';
import { FIXTURES } from './model-folder.ts';
import { readRows, type Row, structureOf, SURE_LABELS } from './read-rows.ts';
import { partOf } from './split.ts';

/** Of every class; cells up to so many atoms keep the file and the test small. */
const [CRYSTALS, FORMULAS, MEASURED, LARGEST_CELL] = [80, 100, 60, 40];

const draw = (name: string): string => createHash('sha1').update(`drawn ${name}`).digest('hex');
const classOf = (composition: Composition): string => compoundClass(Object.keys(composition));

function drawn<T extends { readonly name: string; readonly group: string }>(
  rows: readonly T[],
  count: number,
): T[] {
  const taken: Record<string, number> = {};
  return rows
    .toSorted((a, b) => (draw(a.name) < draw(b.name) ? -1 : 1))
    .filter(({ group }) => {
      taken[group] = (taken[group] ?? 0) + 1;
      return taken[group] <= count;
    });
}

const [folder, ...files] = process.argv.slice(2);
const crystals: { name: string; group: string; row: Row }[] = [];
const lowest = new Map<string, { name: string; group: string; ef: number }>();
for (const file of files)
  for await (const row of readRows(file)) {
    if (row.ef === undefined || !SURE_LABELS.has(row.es ?? '')) continue;
    const composition = compositionOf(structureOf(row));
    if (partOf(chemicalSystem(composition)) !== 'test') continue;
    const group = classOf(composition);
    if (row.n <= LARGEST_CELL) crystals.push({ name: row.id, group, row });
    const known = lowest.get(row.formula);
    if (!known || row.ef < known.ef) lowest.set(row.formula, { name: row.formula, group, ef: row.ef });
  }
const measured = readFileSync(join(folder, 'measured-gaps.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { formula: string; part: string; gap: number })
  .filter(({ part }) => part === 'test')
  .map(({ formula, gap }) => ({ name: formula, group: classOf(parseFormula(formula)), gap }));
const fixture = {
  crystals: drawn(crystals, CRYSTALS).map(({ row: { id, lat, sp, x, ef, gap } }) => ({
    id,
    lat,
    sp,
    x,
    ef,
    gap,
  })),
  formulas: drawn([...lowest.values()], FORMULAS).map(({ name, ef }) => ({ formula: name, ef })),
  measured: drawn(measured, MEASURED).map(({ name, gap }) => ({ formula: name, gap })),
};
writeFileSync(`${FIXTURES}held-out.json.gz`, gzipSync(JSON.stringify(fixture), { level: 9 }));
