import { describe, expect, it } from 'vitest';
import { listNets } from '../net.ts';
import { dot2, rowTimesMatrix2, type Vec2 } from '../periodic-graph.ts';
import { kPathCorners, reciprocalVectors } from './k-path.ts';

/** Number of reciprocal lattice points nearest to a point (1 inside the zone, 2 on a side, 3 at a corner). */
function nearestCount(
  k: Vec2,
  reciprocal: readonly [Vec2, Vec2],
): { count: number; isNearestOrigin: boolean } {
  const distances: number[] = [];
  let fromOrigin = 0;
  for (let m = -4; m <= 4; m++)
    for (let n = -4; n <= 4; n++) {
      const distance = Math.hypot(...rowTimesMatrix2([k[0] - m, k[1] - n], reciprocal));
      distances.push(distance);
      if (m === 0 && n === 0) fromOrigin = distance;
    }
  const least = Math.min(...distances);
  return {
    count: distances.filter((d) => d < least + 1e-4).length,
    isNearestOrigin: fromOrigin < least + 1e-4,
  };
}

/** Number of equidistant reciprocal lattice points: 1 at Γ, 3 at corners of the zone, 2 on its sides. */
function expectedCount(label: string, planeGroup: string): number {
  if (label === 'Γ') return 1;
  const isCorner =
    ['K', 'S', 'H', 'H1', 'A1'].includes(label) || (label === 'M' && planeGroup.startsWith('p4'));
  return isCorner ? 3 : 2;
}

describe('kPathCorners', () => {
  it('lie on the border of the Brillouin zone, corners at corners, for every net', () => {
    const misplaced = listNets().flatMap((net) => {
      const reciprocal = reciprocalVectors(net.latticeVectors);
      return kPathCorners(net.planeGroup, net.latticeVectors)
        .filter(({ label, k }) => {
          const { count, isNearestOrigin } = nearestCount(k, reciprocal);
          return !isNearestOrigin || count < expectedCount(label, net.planeGroup);
        })
        .map(({ label }) => `${net.id} ${net.planeGroup} ${label}`);
    });
    expect(misplaced).toEqual([]);
  });

  it('begin and end at Γ', () => {
    for (const net of listNets()) {
      const corners = kPathCorners(net.planeGroup, net.latticeVectors);
      expect(corners[0].k).toEqual([0, 0]);
      expect(corners.at(-1)!.k).toEqual([0, 0]);
    }
  });
});

describe('reciprocalVectors', () => {
  it('satisfy aᵢ · bⱼ = 2π δᵢⱼ', () => {
    const lattice = [
      [2, 0],
      [-1, 1.7],
    ] as const;
    const reciprocal = reciprocalVectors(lattice);
    lattice.forEach((a, i) =>
      reciprocal.forEach((b, j) => expect(dot2(a, b)).toBeCloseTo(i === j ? 2 * Math.PI : 0, 12)),
    );
  });
});
