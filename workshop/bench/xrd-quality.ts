/**
 * Quality of the XRD matcher on measured patterns: the rank of the right phase of each file of datasets/xrd-exp
 * among the 154,925 structures of datasets/mp-structures, without and with an element filter, for both methods.
 *
 *   npx tsx workshop/bench/xrd-quality.ts            prints one JSON line per file and method, then a summary each
 *
 * A structure of the same formula and space group as the reference counts as the right phase. Ranks beyond
 * DEPTH are reported as DEPTH + 1.
 */
import { readFileSync } from 'node:fs';
import {
  buildPatternIndex,
  type MatchMethod,
  preparePatternQuery,
  readMeasuredPattern,
  removeBackground,
  searchPatterns,
} from '@unitcell/diffraction';
import { sharedPath } from '@unitcell/tools/shared-data';
import { mpPatterns } from './mp-patterns.ts';

const DEPTH = 100;

interface Measured {
  file: string;
  tier: string;
  mpId: string;
}

/** Files, tier and reference ids; phase names may hold commas, so the fields are found by their form. */
function measuredFiles(): Measured[] {
  const lines = readFileSync(sharedPath('datasets', 'xrd-exp', 'index.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines.map((line) => {
    const fields = line.split(',');
    const tier = fields.findIndex((field) => field === 'clean' || field === 'hard');
    return { file: fields[0] ?? '', tier: fields[tier] ?? '', mpId: fields[tier + 1] ?? '' };
  });
}

const elementsOf = (formula: string): string =>
  [...new Set(formula.match(/[A-Z][a-z]?/g) ?? [])].sort().join(' ');

function rankOf(right: ReadonlySet<number>, hits: ReturnType<typeof searchPatterns>): number {
  const at = hits.findIndex((hit) => right.has(hit.id));
  return at < 0 ? DEPTH + 1 : at + 1;
}

const { rows, packed } = mpPatterns();
const index = buildPatternIndex(packed.map((bytes, i) => ({ id: i, packed: bytes })));
const elementSets = rows.map(([, formula]) => elementsOf(formula));
const results = new Map<string, { tier: string; rank: number; rankFiltered: number }[]>();

for (const { file, tier, mpId } of measuredFiles()) {
  const reference = rows.find(([id]) => id === mpId);
  if (!reference) throw new Error(`${mpId} is not in mp-structures`);
  const right = new Set(
    [...rows.keys()].filter((i) => rows[i]?.[1] === reference[1] && rows[i]?.[2] === reference[2]),
  );
  const wanted = elementsOf(reference[1]);
  const candidates = [...rows.keys()].filter((i) => elementSets[i] === wanted);
  const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'xrd-exp', file)));
  const query = preparePatternQuery(x, removeBackground(x, y));
  for (const method of ['DTW', 'Euclidean'] as const satisfies MatchMethod[]) {
    const all = searchPatterns(index, query, { method, top: DEPTH });
    const filtered = searchPatterns(index, query, { method, top: DEPTH, candidates });
    const hit = filtered.find((one) => right.has(one.id));
    const row = { tier, rank: rankOf(right, all), rankFiltered: rankOf(right, filtered) };
    results.set(method, [...(results.get(method) ?? []), row]);
    console.log(
      JSON.stringify({
        file,
        method,
        ...row,
        distance: hit?.distance.toFixed(3),
        strain: hit?.strain.toFixed(4),
        sizeNm: query.crystalliteSizeNm.toFixed(0),
        first: rows[all[0]?.id ?? 0]?.join(' '),
        firstDistance: all[0]?.distance.toFixed(3),
      }),
    );
  }
}
for (const [method, list] of results)
  for (const tier of ['clean', 'hard']) {
    const of = list.filter((row) => row.tier === tier);
    const share = (key: 'rank' | 'rankFiltered', limit: number): number =>
      Math.round((100 * of.filter((row) => row[key] <= limit).length) / of.length);
    console.log(
      JSON.stringify({
        method,
        tier,
        patterns: of.length,
        firstPercent: share('rank', 1),
        top10Percent: share('rank', 10),
        filteredFirstPercent: share('rankFiltered', 1),
        filteredTop10Percent: share('rankFiltered', 10),
      }),
    );
  }
