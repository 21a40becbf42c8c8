/** Thirty mixtures of materials of the seed data, identified without naming elements. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogueOf } from '../../../../../packages/diffraction/src/testing/catalogue.ts';
import {
  identifyIn,
  randomMixture,
} from '../../../../../packages/diffraction/src/testing/identify-in-catalogue.ts';

const MIXTURES = 30;

const catalogue = catalogueOf(
  readFileSync(new URL('../../../../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);

it('finds the phases of 95 % of the mixtures and their fractions within 1 % (median) and 4 % (95th percentile)', async () => {
  const errors: number[] = [];
  const wrong: number[] = [];
  for (let seed = 0; seed < MIXTURES; seed++) {
    const { request, ids, fractions } = randomMixture(catalogue, seed);
    const { phases, refined } = await identifyIn(catalogue, request);
    const isThere = (id: number): boolean =>
      phases.some((phase) => phase.id === id || phase.alternatives.includes(id));
    if (phases.length !== ids.length || !ids.every(isThere)) {
      wrong.push(seed);
      continue;
    }
    for (const [p, phase] of phases.entries()) {
      const truth = ids.findIndex((id) => id === phase.id || phase.alternatives.includes(id));
      const fraction = refined?.phases[p]?.weightFraction?.value ?? 0;
      errors.push(Math.abs(fraction - (fractions[truth] ?? 0)));
    }
  }
  errors.sort((a, b) => a - b);
  expect(wrong.length).toBeLessThanOrEqual(0.05 * MIXTURES);
  expect(errors[Math.floor(0.5 * errors.length)]).toBeLessThan(0.01);
  expect(errors[Math.floor(0.95 * errors.length)]).toBeLessThan(0.04);
}, 3_600_000);
