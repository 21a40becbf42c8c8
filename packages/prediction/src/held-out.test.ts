import { parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { compoundClass } from './model-file.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { predict, predictComposition } from './predict.ts';
import { heldOut, structureOf } from './testing/fixtures-in-node.ts';
import type { Interval } from './values.ts';

const model = openModelInNode();
const { crystals, formulas, measured } = heldOut();

interface Judged {
  readonly group: string;
  readonly error: number;
  readonly half: number;
}

const judged = (group: string, { value, high }: Interval, truth: number): Judged => ({
  group,
  error: Math.abs(value - truth),
  half: high - value,
});

const share = (rows: readonly Judged[]): number =>
  rows.filter(({ error, half }) => error <= half).length / rows.length;
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/**
 * Three standard deviations of the coverage of 90 % intervals over `count` rows, allowing for correlation
 * between rows of one system.
 */
const chance = (count: number): number => 3 * Math.sqrt((0.9 * 0.1 * 1.5) / count);

/**
 * Expects nine of ten values inside their intervals, overall and in every class, and limits the width of the
 * intervals.
 */
function expectCoverage(rows: readonly Judged[]): void {
  expect(Math.abs(share(rows) - 0.9)).toBeLessThan(chance(rows.length));
  const groups = [...new Set(rows.map((row) => row.group))].map((group) =>
    rows.filter((row) => row.group === group),
  );
  const missed = groups
    .filter((some) => some.length >= 40 && share(some) <= 0.9 - chance(some.length))
    .map(([{ group }]) => group);
  expect(missed).toEqual([]);
}

describe('intervals for held-out chemical systems', () => {
  const rows = crystals.map((row) => {
    const prediction = predict(model, structureOf(row));
    return judged(prediction.compoundClass, prediction.formationEnergyPerAtom, row.ef);
  });

  it('contain nine of ten formation energies, in every class of compounds', () => {
    expect(rows.length).toBe(480);
    expectCoverage(rows);
  });

  it('contain nine of ten formation energies in the thirds with the smallest and largest expected error', () => {
    const sorted = rows.toSorted((a, b) => a.half - b.half);
    const third = rows.length / 3;
    for (const some of [sorted.slice(0, third), sorted.slice(2 * third)])
      expect(Math.abs(share(some) - 0.9)).toBeLessThan(chance(third));
    // Errors are larger if a larger error is expected.
    expect(mean(sorted.slice(2 * third).map(({ error }) => error))).toBeGreaterThan(
      2 * mean(sorted.slice(0, third).map(({ error }) => error)),
    );
  });

  it('are narrow, and the mean errors are those of the model card', () => {
    const { test } = model.manifest.metrics.formationEnergy;
    // Small cells, with equal numbers per class, have larger errors than the whole set.
    expect(mean(rows.map(({ error }) => error))).toBeLessThan(2 * test.mae);
    expect(mean(rows.map(({ half }) => half))).toBeLessThan(2 * test.meanHalfWidth);
  });

  it('contain nine of ten energies predicted from formulas, and are wider than intervals of crystals', () => {
    const known = formulas.map(({ formula, ef }) => {
      const composition = parseFormula(formula);
      const { formationEnergyPerAtom } = predictComposition(model, composition);
      return judged(compoundClass(Object.keys(composition)), formationEnergyPerAtom, ef);
    });
    expectCoverage(known);
    expect(mean(known.map(({ half }) => half))).toBeGreaterThan(mean(rows.map(({ half }) => half)));
  });

  it('contain nine of ten measured gaps, in every class for which gaps are predicted', () => {
    const known = measured.flatMap(({ formula, gap }) => {
      const { measuredBandGap, compoundClass: group } = predictComposition(model, parseFormula(formula));
      return measuredBandGap ? [judged(group, measuredBandGap, gap)] : [];
    });
    expect(known.length).toBeGreaterThan(100);
    expectCoverage(known);
    expect(mean(known.map(({ error }) => error))).toBeLessThan(0.6);
  });
});
