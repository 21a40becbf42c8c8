/** How much oftener than by chance two elements stand in each other's place in crystals that are else the same. */
import { REPLACEMENTS } from './data/substitutions.ts';

const counts = new Map<string, number>();
const totals = new Map<string, number>();
let all = 0;
for (const [a, row] of Object.entries(REPLACEMENTS))
  for (const entry of row.split(' ')) {
    const [b = '', text = ''] = entry.split(':');
    const count = Number(text);
    counts.set(`${a} ${b}`, count).set(`${b} ${a}`, count);
    for (const element of [a, b]) totals.set(element, (totals.get(element) ?? 0) + count);
    all += 2 * count;
  }

/** Added to what was counted and to what chance would give: pairs of rare elements say little. */
const PRIOR = 3;

/**
 * Natural logarithm of how often the pair was counted over how often chance alone would have it; 0 where nothing is known. Positive: they
 * replace each other readily.
 */
export function replacementOdds(a: string, b: string): number {
  const expected = ((totals.get(a) ?? 0) * (totals.get(b) ?? 0)) / all;
  return Math.log(((counts.get(`${a} ${b}`) ?? 0) + PRIOR) / (expected + PRIOR));
}
