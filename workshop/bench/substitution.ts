/**
 * What the statistics of replacements add to the search for new compounds: for compounds of systems never counted, near the hull, all known
 * crystals of the same stoichiometry are proposed as templates, with the statistics and without; how far up the prototype stands that the
 * compound really has. Asks for datasets/mp-structures in the shared folder. `npm run bench -- substitution`: one JSON line.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chemicalSystem, type Composition, parseFormula, reducedFormula } from '@unitcell/crystal';
import { propose, replacementOdds, type Template } from '@unitcell/design';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { readRows } from '../generators/models/read-rows.ts';
import { partOf } from '../generators/models/split.ts';

/** Compounds asked, drawn by the SHA-1 of their ids; atoms of a cell; eV/atom above the hull; proposals that are looked at. */
const [ASKED, LARGEST_CELL, NEAR, LIMIT] = [600, 40, 0.05, 400];

interface Target {
  readonly id: string;
  readonly composition: Composition;
  readonly prototype: string;
}

/** Amounts without elements: crystals of one stoichiometry can be templates of each other. */
function stoichiometry(composition: Composition): string {
  const amounts = Object.values(composition);
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const common = amounts.reduce(divisor);
  return amounts
    .map((amount) => amount / common)
    .sort((a, b) => a - b)
    .join(':');
}

async function read(): Promise<{ templates: Map<string, Template[]>; targets: Target[] }> {
  const folder = sharedPath('datasets', 'mp-structures');
  const templates = new Map<string, Template[]>();
  const targets: Target[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz')))
    for await (const { id, cell, n, hall, wyck, eh } of readRows(join(folder, file))) {
      if (hall === undefined || wyck === undefined || n > LARGEST_CELL || eh === undefined || eh > NEAR)
        continue;
      const composition = parseFormula(cell);
      if (Object.keys(composition).length < 2 || Object.keys(composition).length > 4) continue;
      const prototype = `${hall} ${wyck}`;
      const part = partOf(chemicalSystem(composition));
      if (part === 'test') targets.push({ id, composition, prototype });
      if (part !== 'train') continue;
      const key = stoichiometry(composition);
      const known = templates.get(key) ?? [];
      known.push({ id: known.length, composition, prototype });
      templates.set(key, known);
    }
  return { templates, targets };
}

/** Place of the right prototype, from 1; none where it is not among the proposals. */
function rankOf(target: Target, templates: readonly Template[], odds: typeof replacementOdds): number {
  const { proposals } = propose(templates, [Object.keys(target.composition).sort()], { limit: LIMIT, odds });
  const formula = reducedFormula(target.composition);
  const prototypes = proposals.filter((one) => one.formula === formula).map(({ prototype }) => prototype);
  return [...new Set(prototypes)].indexOf(target.prototype) + 1 || Number.POSITIVE_INFINITY;
}

async function measure(): Promise<void> {
  const { templates, targets } = await read();
  const draw = ({ id }: Target): string => createHash('sha1').update(`drawn ${id}`).digest('hex');
  const reachable = targets.filter(({ composition, prototype }) =>
    templates.get(stoichiometry(composition))?.some((template) => template.prototype === prototype),
  );
  const asked = reachable.toSorted((a, b) => (draw(a) < draw(b) ? -1 : 1)).slice(0, ASKED);
  const ranks = asked.map((target) => {
    const known = templates.get(stoichiometry(target.composition))!;
    return {
      prototypes: new Set(known.map(({ prototype }) => prototype)).size,
      with: rankOf(target, known, replacementOdds),
      without: rankOf(target, known, () => 0),
    };
  });
  const share = (of: (rank: (typeof ranks)[number]) => boolean): number =>
    Number((ranks.filter(of).length / ranks.length).toFixed(3));
  const figures = (how: 'with' | 'without') => ({
    first: share((rank) => rank[how] === 1),
    firstFive: share((rank) => rank[how] <= 5),
    firstTwenty: share((rank) => rank[how] <= 20),
  });
  const answer = {
    compounds: targets.length,
    reachable: reachable.length,
    asked: ranks.length,
    with: figures('with'),
    without: figures('without'),
    blind: { first: Number((ranks.reduce((sum, r) => sum + 1 / r.prototypes, 0) / ranks.length).toFixed(3)) },
    better: ranks.filter((rank) => rank.with < rank.without).length,
    worse: ranks.filter((rank) => rank.with > rank.without).length,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

if (hasSharedData) await measure();
else process.stdout.write('SKIPPED: datasets/mp-structures is not beside this checkout\n');
