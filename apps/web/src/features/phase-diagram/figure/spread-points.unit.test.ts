import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POINT_GAP, type Spot, spreadPoints } from './spread-points.ts';

const spot = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.constant(0));
const distance = (a: Spot, b: Spot): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe('spreadPoints', () => {
  it.each(['around', 'inSpace', 'aside'] as const)('%s: no point lies under another', (spreading) => {
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 4 }), fc.array(spot, { maxLength: 12 }), (fixed, moving) => {
        const placed = spreadPoints(fixed, moving, spreading);
        for (const [i, own] of placed.entries())
          for (const other of [...fixed, ...placed.slice(0, i)])
            expect(distance(own, other)).toBeGreaterThanOrEqual(POINT_GAP - 1e-6);
      }),
    );
  });

  it('leaves alone what lies free, and keeps the height of what goes aside: it is an energy', () => {
    const far: Spot = [100, 100, 0];
    expect(spreadPoints([[0, 0, 0]], [far], 'around')).toEqual([far]);
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 12 }), (moving) => {
        expect(spreadPoints([[30, 30, 0]], moving, 'aside').map(([, y]) => y)).toEqual(
          moving.map(([, y]) => y),
        );
      }),
    );
  });

  it('stays inside the drawing where it can', () => {
    const inside = ([x]: Spot): boolean => x >= 0;
    const placed = spreadPoints(
      [[0, 0, 0]],
      [
        [0, 1, 0],
        [0, 2, 0],
      ],
      'aside',
      inside,
    );
    expect(placed.every(inside)).toBe(true);
  });
});
