/** The figures of the model card from what the program says of the crystals that judge; thresholds are those that the manifest names. */
import {
  COMPOUND_CLASSES,
  type CoverageFigures,
  type Detection,
  type EnergyFigures,
  type ErrorFigures,
  type GapFigures,
  type MarginFigures,
  type ModulusFigures,
  type StabilityFigures,
} from '@unitcell/prediction';
import type { Known } from './held-out.ts';

/** A known row and what the program says of it. */
export interface Told {
  readonly known: Known;
  /** eV/atom: mean of the members, each of them, and half the interval. */
  readonly energy: number;
  readonly members: readonly number[];
  readonly half: number;
  /** Third of the width: 0, 1 or 2. */
  readonly third: number;
  readonly gap: ToldGap;
  readonly log10: { readonly bulkModulus: number; readonly shearModulus: number };
  /** Distance to the nearest taught crystals. */
  readonly distance: number;
  /** Energy of the hull of all others, eV/atom, and the chances told of lying near it; null for elements. */
  readonly hull: number | null;
  readonly chances: { readonly 25: number; readonly 50: number };
}
export interface ToldGap {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** That there is one. */
  readonly chance: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
/** Straight lines between the ordered values. */
function quantile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((a, b) => a - b);
  const at = share * (ordered.length - 1);
  const [low, high] = [ordered[Math.floor(at)], ordered[Math.ceil(at)]];
  return low + (at - Math.floor(at)) * (high - low);
}
const summary = (errors: readonly number[]): ErrorFigures => ({
  n: errors.length,
  mae: mean(errors),
  median: quantile(errors, 0.5),
  rmse: Math.sqrt(mean(errors.map((x) => x * x))),
});
const errorOf = ({ energy, known }: Told): number => Math.abs(energy - known.energy);

function coverage(rows: readonly Told[]): CoverageFigures {
  const inside = rows.map((row) => Number(errorOf(row) <= row.half));
  const share = mean(inside);
  // Crystals of one system err together: the uncertainty of the share is that of sums over systems.
  const sums = new Map<string, number>();
  rows.forEach(({ known: { system } }, k) => sums.set(system, (sums.get(system) ?? 0) + inside[k] - share));
  return {
    ...summary(rows.map(errorOf)),
    coverage: share,
    systems: sums.size,
    coverageError: Math.sqrt([...sums.values()].reduce((sum, x) => sum + x * x, 0)) / rows.length,
    meanHalfWidth: mean(rows.map(({ half }) => half)),
  };
}
const byClass = (rows: readonly Told[]): EnergyFigures['byClass'] =>
  Object.fromEntries(
    COMPOUND_CLASSES.map((name) => [name, coverage(rows.filter(({ known }) => known.group === name))]),
  ) as EnergyFigures['byClass'];

export const judgeEnergy = (
  test: readonly Told[],
  further: readonly Told[],
): Omit<EnergyFigures, 'byElements'> => ({
  test: coverage(test),
  byClass: byClass(test),
  byThird: [0, 1, 2].map((k) => coverage(test.filter(({ third }) => third === k))),
  alsoHeldOut: coverage(further),
  alsoByClass: byClass(further),
  members: test[0].members.map((_, m) =>
    mean(test.map(({ members, known }) => Math.abs(members[m] - known.energy))),
  ),
});

/** Share of pairs of a true and a false one that the score tells apart; of equal scores half. */
function auc(rows: readonly { readonly isTrue: boolean; readonly score: number }[]): number {
  const ordered = rows.toSorted((a, b) => a.score - b.score);
  let [pairs, below, trues] = [0, 0, 0];
  for (const { isTrue } of ordered) {
    if (isTrue) [pairs, trues] = [pairs + below, trues + 1];
    else below++;
  }
  return pairs / Math.max(1, trues * below);
}

export function judgeGap(rows: readonly { readonly truth: number; readonly gap: ToldGap }[]): GapFigures {
  const inside = rows.map(({ truth, gap: { low, high } }) => Number(truth >= low && truth <= high));
  return {
    ...summary(rows.map(({ truth, gap }) => Math.abs(gap.value - truth))),
    coverage: mean(inside),
    insulators: mean(rows.map(({ truth }) => Number(truth > 0))),
    aucInsulator: auc(rows.map(({ truth, gap }) => ({ isTrue: truth > 0, score: gap.chance }))),
  };
}
export const judgePbeGap = (test: readonly Told[]): GapFigures =>
  judgeGap(test.flatMap(({ known, gap }) => (known.gap === undefined ? [] : [{ truth: known.gap, gap }])));

/** eV; predicted PBE gaps between which the coverage of their intervals is stated. */
const GAP_BANDS = [0, 0.1, 0.5, 1, 2, 3, 4, Number.POSITIVE_INFINITY];

/** The table of docs/science/prediction.md: intervals of PBE gaps by the gap that is predicted. */
export function gapBands(test: readonly Told[]): string[] {
  const rows = test.flatMap(({ known, gap }) => (known.gap === undefined ? [] : [{ truth: known.gap, gap }]));
  return GAP_BANDS.slice(1).map((to, k) => {
    const band = rows.filter(({ gap: { value } }) => value >= GAP_BANDS[k] && value < to);
    const figures = judgeGap(band);
    const half = mean(band.map(({ gap: { value, high } }) => high - value));
    const above = mean(band.map(({ truth, gap: { high } }) => Number(truth > high)));
    const name = Number.isFinite(to) ? `${GAP_BANDS[k]} to ${to}` : `${GAP_BANDS[k]} and more`;
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    return `| ${name} | ${band.length.toLocaleString('en')} | ${figures.mae.toFixed(3)} | ±${half.toFixed(2)} | ${percent(figures.coverage)} | ${percent(above)} |`;
  });
}

export function judgeModulus(
  test: readonly Told[],
  name: 'bulkModulus' | 'shearModulus',
  halfWidthLog10: number,
): ModulusFigures {
  const errors = test.flatMap(({ known, log10 }) =>
    known.log10 ? [Math.abs(log10[name] - known.log10[name])] : [],
  );
  return {
    halfWidthLog10,
    n: errors.length,
    maeLog10: mean(errors),
    coverage: mean(errors.map((error) => Number(error <= halfWidthLog10))),
  };
}

export function judgeDomain(test: readonly Told[]): {
  maeNearestQuarter: number;
  maeFarthestPercent: number;
  n: number;
} {
  const distances = test.map(({ distance }) => distance);
  const [near, far] = [quantile(distances, 0.25), quantile(distances, 0.99)];
  const farthest = test.filter(({ distance }) => distance >= far);
  return {
    maeNearestQuarter: mean(test.filter(({ distance }) => distance <= near).map(errorOf)),
    maeFarthestPercent: mean(farthest.map(errorOf)),
    n: farthest.length,
  };
}

interface Distance {
  readonly told: number;
  readonly isNear: boolean;
  readonly chance: number;
}
/** Precision, recall and F1 where `prevalence` of all are near, with the rates found here. */
function detection(rows: readonly Distance[], threshold: number, prevalence: number): Detection {
  const count = (isNear: boolean, isTold?: boolean): number =>
    rows.filter((row) => row.isNear === isNear && (!isTold || row.told <= threshold)).length;
  const recall = count(true, true) / Math.max(1, count(true));
  const falseAlarms = count(false, true) / Math.max(1, count(false));
  const hits = prevalence * recall;
  const precision = hits / Math.max(1e-12, hits + (1 - prevalence) * falseAlarms);
  return { precision, recall, f1: (2 * precision * recall) / Math.max(1e-12, precision + recall) };
}

const BINS = 10;

export function judgeHull(test: readonly Told[], stated: StabilityFigures): StabilityFigures {
  const rows = test.flatMap((row) => (row.hull === null ? [] : [{ ...row, hull: row.hull }]));
  const margin = (of: 25 | 50): MarginFigures => {
    const distances = rows.map(({ energy, known, hull, chances }) => ({
      told: energy - hull,
      isNear: known.energy - hull <= of / 1000,
      chance: chances[of],
    }));
    const { threshold, rare } = stated[`within${of}`];
    const prevalence = mean(distances.map(({ isNear }) => Number(isNear)));
    const at = (limit: number, share: number): Detection => detection(distances, limit, share);
    return {
      prevalence,
      f1OfAllYes: (2 * prevalence) / (1 + prevalence),
      ...at(of / 1000, prevalence),
      auc: auc(distances.map(({ told, isNear }) => ({ isTrue: isNear, score: -told }))),
      threshold,
      atThreshold: at(threshold, prevalence),
      rare: {
        prevalence: rare.prevalence,
        f1OfAllYes: (2 * rare.prevalence) / (1 + rare.prevalence),
        threshold: rare.threshold,
        ...at(of / 1000, rare.prevalence),
        atThreshold: at(rare.threshold, rare.prevalence),
      },
      reliability: Array.from({ length: BINS }, (_, k) => {
        const here = distances.filter(({ chance }) => Math.min(Math.floor(chance * BINS), BINS - 1) === k);
        const middle = (k + 0.5) / BINS;
        return {
          told: here.length ? mean(here.map(({ chance }) => chance)) : middle,
          found: here.length ? mean(here.map(({ isNear }) => Number(isNear))) : middle,
          n: here.length,
        };
      }),
    };
  };
  const off = rows.map(({ energy, known, hull }) =>
    Math.abs(Math.max(energy - hull, 0) - Math.max(known.energy - hull, 0)),
  );
  return { n: rows.length, maeDistance: mean(off), within25: margin(25), within50: margin(50) };
}
