import { chernNumbers, createModel, listNets, netById, reciprocalVectors } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { bondsPath, brillouinZone, cellsIn, fractionOf, placeOf, startView, zoomed } from './plane.ts';
import { energyInterval, legOf, nearestPoint, shiftInterval, ticksOf, zoomInterval } from './chart-scale.ts';
import { chernRows } from '../components/reports.tsx';

describe('chernRows', () => {
  it('puts the three touching bands of kagome in one group without a gap to others', () => {
    const rows = chernRows(chernNumbers(createModel({ net: netById('kgm') })));
    expect(rows).toEqual([{ first: 0, last: 2, chern: undefined, gap: Number.POSITIVE_INFINITY }]);
  });

  it('gives each isolated band a separate row, with the smallest gap to other bands', () => {
    const [lower, middle, upper] = [0.5, 0.2, Number.POSITIVE_INFINITY];
    const rows = chernRows([
      { band: 0, chern: 1, directGap: 0.5, gapAbove: lower },
      { band: 1, chern: -1, directGap: 0.2, gapAbove: middle },
      { band: 2, chern: undefined, directGap: 0, gapAbove: 1e-9 },
      { band: 3, chern: undefined, directGap: 0, gapAbove: upper },
    ]);
    expect(rows).toEqual([
      { first: 0, last: 0, chern: 1, gap: 0.5 },
      { first: 1, last: 1, chern: -1, gap: 0.2 },
      { first: 2, last: 3, chern: undefined, gap: 0.2 },
    ]);
  });
});

const areaOf = (corners: readonly (readonly [number, number])[]) =>
  corners.reduce((sum, [x, y], n) => {
    const [nextX, nextY] = corners[(n + 1) % corners.length]!;
    return sum + (x * nextY - y * nextX) / 2;
  }, 0);

describe('brillouinZone', () => {
  it('is a hexagon for kagome, a square for Lieb', () => {
    expect(brillouinZone(netById('kgm').latticeVectors)).toHaveLength(6);
    expect(brillouinZone(netById('lieb').latticeVectors)).toHaveLength(4);
  });

  it('has the area of the reciprocal cell for every net', () => {
    for (const { latticeVectors } of listNets()) {
      const [[ax, ay], [bx, by]] = reciprocalVectors(latticeVectors);
      const area = Math.abs(ax * by - ay * bx);
      expect(areaOf(brillouinZone(latticeVectors)) / area).toBeCloseTo(1, 6);
    }
  });
});

describe('the plane', () => {
  const net = netById('kgm');

  it('cells cover the view: every point of the view is inside a cell', () => {
    const view = startView(net, 1.4);
    const cells = new Set(cellsIn(net.latticeVectors, view).map(String));
    for (let n = 0; n <= 100; n++) {
      const place = [
        view.x + (((n * 37) % 101) / 100) * view.width,
        view.y + (n / 100) * view.height,
      ] as const;
      const [u, v] = fractionOf(net.latticeVectors, place);
      expect(cells.has(String([Math.floor(u), Math.floor(v)]))).toBe(true);
    }
  });

  it('fractionOf inverts placeOf', () => {
    const [u, v] = fractionOf(net.latticeVectors, placeOf(net.latticeVectors, 0.3, -1.7));
    expect([u, v].map((x) => Number(x.toFixed(12)))).toEqual([0.3, -1.7]);
  });

  it('draws each bond once per cell', () => {
    expect(
      bondsPath(net, net.edges, [
        [0, 0],
        [1, 0],
      ]).match(/M/g),
    ).toHaveLength(12);
  });

  it('zooming keeps the point under the pointer fixed', () => {
    const view = { x: 0, y: 0, width: 10, height: 10 };
    const closer = zoomed(view, 2, 0.25, 0.25);
    expect(closer).toEqual({ x: 1.25, y: 3.75, width: 5, height: 5 });
  });
});

describe('the chart', () => {
  it('has round ticks', () => {
    expect(ticksOf([-4.36, 2.36], 7)).toEqual([-4, -3, -2, -1, 0, 1, 2]);
    expect(ticksOf([-0.11, 0.11], 4)).toEqual([-0.1, 0, 0.1]);
    expect(ticksOf([1, 1], 4)).toEqual([]);
  });

  it('adds a margin around flat bands', () => {
    expect(energyInterval([[0, 0]])).toEqual([-0.1, 0.1]);
    expect(energyInterval([])).toEqual([-1, 1]);
  });

  it('zooms around the pointer and never beyond the full range', () => {
    expect(zoomInterval([0, 10], 2, 5, [0, 10])).toEqual([2.5, 7.5]);
    expect(zoomInterval([2, 4], 0.1, 3, [0, 10])).toEqual([0, 10]);
    expect(shiftInterval([2, 4], -5, [0, 10])).toEqual([0, 2]);
  });

  it('names points of the path', () => {
    expect([0, 0.5, 1, 2].map((k) => legOf([0, 1, 2], ['Γ', 'M', 'K'], k))).toEqual(['Γ', 'Γ–M', 'M', 'K']);
    expect(
      nearestPoint(
        [0, 1, 2],
        [
          [0, 0, 0],
          [1, 2, 3],
        ],
        1.2,
        1.8,
      ),
    ).toEqual({ band: 1, point: 1 });
  });
});
