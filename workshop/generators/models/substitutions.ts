/**
 * `tsx workshop/generators/models/substitutions.ts FILE.jsonl.gz…`: which elements stand in each other's place in crystals that are else the same
 * (Hall number, Wyckoff letters, all other elements), counted over the taught crystals of the Materials Project, as
 * packages/design/src/data/substitutions.ts. Systems that judge the network are left out here as well.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { partOf, readRows } from './rows.ts';

const OUT = fileURLToPath(new URL('../../../packages/design/src/data/substitutions.ts', import.meta.url));
/** Pairs that count less are not written; atoms of a cell. */
const [LEAST, LARGEST_CELL] = [3, 60];

/** Elements found at one place of one kind of crystal. */
const places = new Map<string, Set<string>>();
for (const file of process.argv.slice(2))
  for await (const { hall, wyck, sp, n, eh } of readRows(file)) {
    // What nature or calculation hold for possible: within 0.1 eV/atom of the hull.
    if (hall === undefined || wyck === undefined || n > LARGEST_CELL || eh === undefined || eh > 0.1)
      continue;
    const symbols = sp.filter((entry): entry is string => typeof entry === 'string');
    const elements = [...new Set(symbols)];
    if (elements.length < 2 || partOf([...elements].sort().join('-')) !== 'train') continue;
    for (const element of elements) {
      const rest = sp.map((entry) => (entry === element ? '*' : entry)).join(' ');
      const key = `${hall} ${wyck} ${rest}`;
      const known = places.get(key);
      if (known) known.add(element);
      else places.set(key, new Set([element]));
    }
  }

/** A place that takes many elements counts as much as one that takes two: each element there has one partner on average. */
const counts = new Map<string, number>();
for (const found of places.values()) {
  if (found.size < 2) continue;
  const elements = [...found].sort();
  elements.forEach((a, i) => {
    for (const b of elements.slice(i + 1))
      counts.set(`${a} ${b}`, (counts.get(`${a} ${b}`) ?? 0) + 1 / (elements.length - 1));
  });
}

const rows: Record<string, string[]> = {};
for (const [pair, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [a, b] = pair.split(' ') as [string, string];
  if (count < LEAST) continue;
  rows[a] ??= [];
  rows[a].push(`${b}:${Number(count.toPrecision(3))}`);
}
const crystals = [...places.values()].filter(({ size }) => size > 1).length;
writeFileSync(
  OUT,
  `/**
 * How often two elements stand in each other's place in crystals that are else the same: ${crystals.toLocaleString('en')} places of crystals within 0.1 eV/atom of the hull;
 * of a place that takes n elements every pair counts 1/(n − 1). Written by workshop/generators/models/substitutions.ts.
 *
 * Materials Project, release of 2018, CC BY 4.0: A. Jain et al., APL Materials 1 (2013) 011002, https://doi.org/10.1063/1.4812323; counted as H. Glawe et
 * al., New J. Phys. 18 (2016) 093011, https://doi.org/10.1088/1367-2630/18/9/093011, count replacements.
 */
export const REPLACEMENTS: Readonly<Record<string, string>> = {
${Object.entries(rows)
  .map(([element, found]) => `  ${element}: '${found.join(' ')}',`)
  .join('\n')}
};
`,
);
process.stdout.write(`${crystals} places, ${counts.size} pairs\n`);
