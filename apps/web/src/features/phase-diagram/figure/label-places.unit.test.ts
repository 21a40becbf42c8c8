import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { placeLabels } from './label-places.ts';

const at = (x: number, y: number, label = 'Fe2O3') => ({ x, y, label });

describe('placeLabels', () => {
  it('writes above where nothing is in the way', () => {
    expect(placeLabels([at(0, 0), at(200, 0)], [])).toEqual(['top center', 'top center']);
  });

  it('gives way to a label, a point and a line', () => {
    const [first, second] = placeLabels([at(0, 0), at(10, 8)], []);
    expect(first).toBe('bottom center');
    expect(second).toBe('top center');
    const line = [
      { x: -100, y: 14 },
      { x: 100, y: 14 },
    ] as const;
    expect(placeLabels([at(0, 0)], [line])).toEqual(['bottom center']);
  });

  it('leaves a line alone that ends at its point and goes elsewhere', () => {
    const line = [
      { x: 0, y: 0 },
      { x: 0, y: -100 },
    ] as const;
    expect(placeLabels([at(0, 0)], [line])).toEqual(['top center']);
  });

  it('leaves out what would lie over another label wherever it stood, never a short name for a long one', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => at(i, i % 3, 'Li3Fe2(PO4)3'));
    const sides = placeLabels([...crowd, at(4, 1, 'O'), at(400, 0, 'Li3Fe2(PO4)3')], []);
    expect(sides.slice(0, 12)).toContain(null);
    expect(sides.slice(12)).not.toContain(null);
  });

  it('answers one side per label, whatever the crowd', () => {
    const random = seededRandom(20261121);
    const points = Array.from({ length: 60 }, () => at(100 * random(), 100 * random()));
    expect(placeLabels(points, [])).toHaveLength(60);
    expect(placeLabels([], [])).toEqual([]);
  });
});
