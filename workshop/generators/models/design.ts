/**
 * `tsx workshop/generators/models/design.ts FOLDER PART FILE.jsonl.gz…`: design by substitution, judged on systems never taught (PART test; choices
 * are made on PART calibrate). For every crystal of the part the chemically nearest taught crystal of its prototype (Hall number, Wyckoff
 * letters, order of species) takes its elements, is scaled by volumes fitted to the taught crystals, and is predicted as it stands; candidates
 * are ranked by their predicted distance to the hull of all others. Easy cases, predicted more than 50 meV below that hull, are left out of the
 * second list. Baseline: the template's energy above the element references instead of the network. With ONLY_PRINT=1 the manifest stays as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellVolume, chemicalSystem, orderedSite, type Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import type { Mat3 } from '@unitcell/numerics';
import { type ListFigures, predict, PredictionError, type ModelMetrics } from '@unitcell/prediction';
import { openModelInNode } from '@unitcell/prediction/node';
import { addFigures } from './model-folder.ts';
import { readRows, type Row, structureOf, SURE_LABELS } from './read-rows.ts';
import { partOf } from './split.ts';

const [LARGEST_CELL, FIRST, EASY] = [40, 100, -0.05];

interface Crystal {
  readonly row: Row;
  /** In the order in which they first stand in the cell. */
  readonly symbols: readonly string[];
  readonly shares: readonly number[];
}

const [folder, part, ...files] = process.argv.slice(2);
const model = openModelInNode();
const hulls = new Map(
  readFileSync(join(folder, 'hulls.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; hull: number })
    .map(({ id, hull }) => [id, hull]),
);

function crystalOf(row: Row): { crystal: Crystal; prototype: string } {
  const symbols: string[] = [];
  const counts: number[] = [];
  const pattern: string[] = [];
  for (let k = 0; k < row.sp.length; k += 2) {
    const symbol = String(row.sp[k]);
    const known = symbols.indexOf(symbol);
    const index = known >= 0 ? known : symbols.push(symbol) - 1;
    counts[index] = (counts[index] ?? 0) + Number(row.sp[k + 1]);
    pattern.push(`${index}:${row.sp[k + 1]}`);
  }
  return {
    crystal: { row, symbols, shares: counts.map((count) => count / row.n) },
    prototype: `${row.hall} ${row.wyck} ${pattern.join(',')}`,
  };
}

/** How unlike two elements are: electronegativity (Pauling) over 0.5, covalent radius over 0.2 Å. */
function unlike(a: string, b: string): number {
  const [x, y] = [elementBySymbol(a), elementBySymbol(b)];
  return (
    Math.abs((x.electronegativity ?? 0) - (y.electronegativity ?? 0)) / 0.5 +
    Math.abs((x.covalentRadius ?? 0) - (y.covalentRadius ?? 0)) / 0.2
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const weighted = ({ symbols, shares }: Crystal, of: (symbol: string) => number): number =>
  sum(symbols.map((symbol, k) => shares[k] * of(symbol)));

/** Å³ per atom of each element, least squares on the volumes per atom of the taught (Gauss-Seidel on the normal equations). */
function atomicVolumes(taught: readonly Crystal[]): Map<string, number> {
  const symbols = [...new Set(taught.flatMap((crystal) => crystal.symbols))];
  const place = new Map(symbols.map((symbol, k) => [symbol, k]));
  const matrix = symbols.map(() => new Float64Array(symbols.length));
  const right = new Float64Array(symbols.length);
  for (const { row, symbols: own, shares } of taught) {
    const volume = cellVolume(structureOf(row).latticeVectors) / row.n;
    own.forEach((a, i) => {
      right[place.get(a)!] += shares[i] * volume;
      own.forEach((b, j) => {
        matrix[place.get(a)!][place.get(b)!] += shares[i] * shares[j];
      });
    });
  }
  const found = new Float64Array(symbols.length).fill(15);
  for (let round = 0; round < 500; round++)
    for (let k = 0; k < symbols.length; k++) {
      const rest = matrix[k].reduce((total, entry, j) => total + (j === k ? 0 : entry * found[j]), 0);
      found[k] = (right[k] - rest) / (matrix[k][k] + 1e-6);
    }
  return new Map(symbols.map((symbol, k) => [symbol, found[k]]));
}

const templates = new Map<string, Crystal[]>();
const taught: Crystal[] = [];
const targets: { crystal: Crystal; prototype: string }[] = [];
for (const file of files)
  for await (const row of readRows(file)) {
    if (row.ef === undefined || !SURE_LABELS.has(row.es ?? '') || row.n > LARGEST_CELL) continue;
    const { crystal, prototype } = crystalOf(row);
    const of = partOf(chemicalSystem(Object.fromEntries(crystal.symbols.map((symbol) => [symbol, 1]))));
    if (of === 'train') {
      taught.push(crystal);
      const known = templates.get(prototype);
      if (known) known.push(crystal);
      else templates.set(prototype, [crystal]);
    } else if (of === part && crystal.symbols.length > 1 && hulls.has(row.id))
      targets.push({ crystal, prototype });
  }
const volumes = atomicVolumes(taught);
const volumeOf = (crystal: Crystal): number => weighted(crystal, (symbol) => volumes.get(symbol) ?? 15);
const referenceOf = (crystal: Crystal): number =>
  weighted(crystal, (symbol) => model.manifest.elementReferences[elementBySymbol(symbol).number]);

function substituted(target: Crystal, template: Crystal): Structure {
  const { latticeVectors, sites } = structureOf(template.row);
  const scale = Math.cbrt(volumeOf(target) / volumeOf(template));
  return {
    latticeVectors: latticeVectors.map((v) => v.map((x) => x * scale)) as unknown as Mat3,
    sites: sites.map(({ species, fractionalCoords }) =>
      orderedSite(target.symbols[template.symbols.indexOf(species[0].element)], fractionalCoords),
    ),
  };
}

interface Candidate {
  /** Distances to the hull of all others, eV/atom. */
  readonly true: number;
  readonly guess: number;
  readonly relaxed: number;
  readonly baseline: number;
  readonly expectedError: number;
}

const candidates: Candidate[] = [];
for (const { crystal, prototype } of targets) {
  let [best, least] = [undefined as Crystal | undefined, Number.POSITIVE_INFINITY];
  for (const template of templates.get(prototype) ?? []) {
    const far = sum(
      crystal.symbols.map((symbol, k) => crystal.shares[k] * unlike(symbol, template.symbols[k])),
    );
    if (far < least) [best, least] = [template, far];
  }
  if (!best) continue;
  const hull = hulls.get(crystal.row.id)!;
  try {
    const guess = predict(model, substituted(crystal, best));
    candidates.push({
      true: crystal.row.ef! - hull,
      guess: guess.formationEnergyPerAtom.value - hull,
      relaxed: predict(model, structureOf(crystal.row)).formationEnergyPerAtom.value - hull,
      baseline: best.row.ef! - referenceOf(best) + referenceOf(crystal) - hull,
      expectedError: guess.expectedError,
    });
  } catch (error) {
    if (!(error instanceof PredictionError)) throw error;
  }
}

const shares = (list: readonly Candidate[]): ListFigures => {
  const within = (margin: number): number =>
    list.filter((one) => one.true <= margin + 1e-6).length / list.length;
  return { onHull: within(0), within25: within(0.025), within50: within(0.05) };
};
const first = (value: (one: Candidate) => number, from = Number.NEGATIVE_INFINITY): ListFigures =>
  shares(
    candidates
      .filter((one) => value(one) >= from)
      .toSorted((a, b) => value(a) - value(b))
      .slice(0, FIRST),
  );
const hard = candidates.filter(({ guess }) => guess >= EASY);
const design: NonNullable<ModelMetrics['design']> = {
  candidates: candidates.length,
  prevalence: shares(candidates),
  mae: sum(candidates.map((one) => Math.abs(one.guess - one.true))) / candidates.length,
  hard: hard.length,
  hardPrevalence: shares(hard),
  first100: first(({ guess }) => guess),
  first100Hard: first(({ guess }) => guess, EASY),
  baselineHard: first(({ baseline }) => baseline, EASY),
  relaxedHard: first(({ relaxed }) => relaxed, EASY),
};
if (part === 'test' && !process.env.ONLY_PRINT) addFigures({ design });
process.stdout.write(`${JSON.stringify({ part, ...design })}\n`);
