import { netById } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { bandsCsv, modelJson, pythTbScript, tightBindingOrigin } from './components/export-menu.tsx';
import type { ModelSettings } from './solver/messages.ts';
import { K_POINTS, solveBands } from './solver/solve.ts';
import { largestDifference } from './api/use-band-data.ts';

const lieb: ModelSettings = {
  net: netById('lieb'),
  t1: -1,
  t2: -0.2,
  onsite: [0, 0.5],
  rule: 'graph',
  fluxRad: 0,
};
const origin = tightBindingOrigin(lieb, 'https://unitcell.example.org/tb?grid=lieb&t2=-0.2', '2026-11-22');
const answer = solveBands({ model: lieb, filling: 1, selected: null, isSettled: false }, () => 0);

describe('the files of the page', () => {
  it('CSV has one row per k-point, with labels at corners', () => {
    const rows = bandsCsv(answer, origin)
      .split('\r\n')
      .filter((row) => !row.startsWith('#'));
    expect(rows).toHaveLength(K_POINTS + 1);
    expect(rows[0]).toBe('k_dist,k1,k2,label,band 1,band 2,band 3');
    const labels = rows.slice(1).map((row) => row.split(',')[3]);
    expect(labels.filter((label) => label !== '')).toEqual(['Γ', 'X', 'M', 'Γ']);
  });

  it('the model as JSON and as a script contains its on-site energies', () => {
    expect(JSON.parse(modelJson(lieb, origin))).toMatchObject({
      net: 'lieb',
      sites: [{ onsite: 0 }, {}, {}],
    });
    expect(pythTbScript(lieb, origin)).toContain('model.set_onsite([0, 0.5, 0.5])');
  });
});

describe('the origin of the files', () => {
  it('contains the model, every parameter, the method, the address and how to cite it', () => {
    for (const file of [bandsCsv(answer, origin), modelJson(lieb, origin), pythTbScript(lieb, origin)]) {
      expect(file).toContain('plane net lieb (p4mm)');
      expect(file).toContain('t1 = -1, t2 = -0.2 (second neighbours by graph), Haldane flux 0 degrees');
      expect(file).toMatch(/on-site energies of \S+ 0, \S+ 0\.5/);
      expect(file).toContain('calculated here in the browser');
      expect(file).toContain('https://unitcell.example.org/tb?grid=lieb&t2=-0.2 (accessed 2026-11-22).');
    }
  });

  it('is written as comments, so that programs can still parse the files', () => {
    const remarks = bandsCsv(answer, origin)
      .split('\r\n')
      .filter((row) => row.startsWith('#'));
    expect(remarks).toHaveLength(origin.length);
    const script = pythTbScript(lieb, origin).split('\n');
    expect(script.slice(0, origin.length).every((line) => line.startsWith('# '))).toBe(true);
    expect(JSON.parse(modelJson(lieb, origin))).toMatchObject({ schema: 'unitcell-tight-binding/1' });
  });
});

describe('largestDifference', () => {
  it('compares band by band, and returns nothing for different sizes', () => {
    expect(largestDifference([[1, 2]], [{ y: [1, 2.5] }])).toBe(0.5);
    expect(largestDifference([[1, 2]], [])).toBeUndefined();
    expect(largestDifference([[1, 2]], [{ y: [1] }])).toBeUndefined();
  });
});
