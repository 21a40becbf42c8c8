import { netById } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { bandsCsv, modelJson, pythTbScript } from './exports.ts';
import type { ModelSettings } from './solver/messages.ts';
import { K_POINTS, solveBands } from './solver/solve.ts';
import { largestDifference } from './use-server-check.ts';

const lieb: ModelSettings = {
  net: netById('lieb'),
  t1: -1,
  t2: -0.2,
  onsite: [0, 0.5],
  rule: 'graph',
  fluxRad: 0,
};
const answer = solveBands({ model: lieb, filling: 1, selected: null, isSettled: false }, () => 0);

describe('the files of the page', () => {
  it('CSV: a row per k-point, corners named', () => {
    const rows = bandsCsv(answer).split('\r\n');
    expect(rows).toHaveLength(K_POINTS + 1);
    expect(rows[0]).toBe('k_dist,k1,k2,label,band 1,band 2,band 3');
    const labels = rows.slice(1).map((row) => row.split(',')[3]);
    expect(labels.filter((label) => label !== '')).toEqual(['Γ', 'X', 'M', 'Γ']);
  });

  it('the model as JSON and as a script carry its on-site energies', () => {
    expect(JSON.parse(modelJson(lieb))).toMatchObject({ net: 'lieb', sites: [{ onsite: 0 }, {}, {}] });
    expect(pythTbScript(lieb)).toContain('model.set_onsite([0, 0.5, 0.5])');
  });
});

describe('largestDifference', () => {
  it('compares band by band, and nothing that differs in size', () => {
    expect(largestDifference([[1, 2]], [{ y: [1, 2.5] }])).toBe(0.5);
    expect(largestDifference([[1, 2]], [])).toBeUndefined();
    expect(largestDifference([[1, 2]], [{ y: [1] }])).toBeUndefined();
  });
});
