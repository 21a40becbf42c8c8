import { latticeVectorsFromParameters } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { listReflections } from './reflection-list.ts';

const triclinic = latticeVectorsFromParameters({ a: 5, b: 6, c: 7, alpha: 70, beta: 80, gamma: 100 });

describe('listReflections', () => {
  it('has one of each Friedel pair inside the shell, and never 000', () => {
    const { count, h, k, l, inverseDSquared } = listReflections(triclinic, 0.3, 0.9, []);
    const seen = new Set<string>();
    for (let i = 0; i < count; i++) {
      expect(seen.has(`${-h[i]},${-k[i]},${-l[i]}`)).toBe(false);
      seen.add(`${h[i]},${k[i]},${l[i]}`);
      expect(Math.sqrt(inverseDSquared[i])).toBeGreaterThanOrEqual(0.3);
      expect(Math.sqrt(inverseDSquared[i])).toBeLessThanOrEqual(0.9);
    }
    expect(seen.size).toBe(count);
    expect(seen.has('0,0,0')).toBe(false);
  });

  it('the number of reflections approaches the volume of half of the shell, 2π/3 V (g³max − g³min)', () => {
    const { count } = listReflections(triclinic, 0.5, 2.5, []);
    const volume = 5 * 6 * 7 * Math.sqrt(1 - 0.117 - 0.0302 - 0.0302 + 2 * 0.342 * 0.1736 * -0.1736);
    expect(count / (((2 * Math.PI) / 3) * volume * (2.5 ** 3 - 0.5 ** 3))).toBeCloseTo(1, 1);
  });

  it('rows of equal h and k are contiguous with rising l', () => {
    const { count, h, k, l } = listReflections(triclinic, 0, 1.2, []);
    const starts: string[] = [];
    let falling = 0;
    for (let i = 0; i < count; i++) {
      if (i === 0 || h[i] !== h[i - 1] || k[i] !== k[i - 1]) starts.push(`${h[i]},${k[i]}`);
      else if (l[i] <= l[i - 1]) falling += 1;
    }
    expect(falling).toBe(0);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('refuses cells with too many indices, and reports the number and a remedy', () => {
    const skewed = [
      [0, 3600, 4],
      [3600, 4, 0],
      [4, 0, 0],
    ] as const;
    expect(() => listReflections(skewed, 0, 3, [])).toThrow(/pairs of the first two.*reduced cell/);
    const needle = [
      [0.1, 0, 0],
      [0, 0.1, 0],
      [0, 0, 30_000],
    ] as const;
    expect(() => listReflections(needle, 0, 2, [])).toThrow(/at most 32767/);
  });
});
