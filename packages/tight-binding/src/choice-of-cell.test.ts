/** Results must not depend on the choice of cell and the order of sites of a net. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { blochState, createBlochSolver } from './bands/bloch-solver.ts';
import { densityOfStates, energyGrid, fermiLevel } from './bands/density-of-states.ts';
import { flatBandLevels } from './bands/flat-bands.ts';
import { kPathCorners, reciprocalVectors, sampleKPath } from './bands/k-path.ts';
import { createModel, sortedHoppings, type TightBindingModel } from './bands/model.ts';
import { distanceShells } from './bands/second-neighbours.ts';
import { listNets, type Net, netById, netStructure, toLatticeStructureWire } from './net.ts';
import {
  determinant2,
  inverse2,
  isSimple,
  type Mat2,
  multiply2,
  type NetEdge,
  normalizedEdge,
  rebased,
  rowTimesMatrix2,
  sortedEdges,
  type Vec2,
} from './periodic-graph.ts';

const random = seededRandom(81);
const integer = (below: number) => Math.floor(below * random());
const energiesAt = (model: TightBindingModel, k: Vec2) => Array.from(createBlochSolver(model).energies(k));
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);
function expectClose(found: readonly number[], expected: readonly number[], tolerance = 1e-9): void {
  expect(found).toHaveLength(expected.length);
  expect(Math.max(0, ...found.map((value, index) => Math.abs(value - expected[index])))).toBeLessThan(
    tolerance,
  );
}
/** Integer matrix of determinant ±1. */
function unimodular(): Mat2 {
  let m: Mat2 =
    random() < 0.5
      ? [
          [1, 0],
          [0, 1],
        ]
      : [
          [0, 1],
          [1, 0],
        ];
  for (let turn = 0; turn < 3; turn++) {
    const n = integer(5) - 2;
    m = multiply2(
      turn % 2
        ? [
            [1, n],
            [0, 1],
          ]
        : [
            [1, 0],
            [n, 1],
          ],
      m,
    );
  }
  return m;
}
/** A model with a different energy on every site. */
const modelOf = (net: Net, onsite: readonly number[]): TightBindingModel => ({
  ...createModel({ net, t1: 0.8 }),
  onsite,
});
const NETS = ['sql', 'hcb', 'kgm', 'lieb', 'star', 'dha', 'cem'].map((id) => [id, netById(id)] as const);

describe('bands', () => {
  it.each(NETS)(
    '%s: are the same for any other primitive cell, with sites moved to other cells',
    (_, net) => {
      expect.hasAssertions();
      const onsite = net.positions.map(() => random() - 0.5);
      for (let round = 0; round < 6; round++) {
        const basis = unimodular();
        const shifts = net.positions.map((): Vec2 => [integer(5) - 2, integer(5) - 2]);
        const { edges } = rebased({ siteCount: net.positions.length, edges: net.edges }, basis, shifts);
        const [x, y]: Vec2 = [random(), random()];
        // The new lattice vectors are a′ = B a, so that k·a′ has the components B k.
        const turned: Vec2 = [basis[0][0] * x + basis[0][1] * y, basis[1][0] * x + basis[1][1] * y];
        expectClose(
          energiesAt(modelOf({ ...net, edges }, onsite), turned),
          energiesAt(modelOf(net, onsite), [x, y]),
        );
      }
    },
  );

  it.each(NETS)('%s: in a doubled cell are those at k/2 and (k + 1)/2', (_, net) => {
    const n = net.positions.length;
    const onsite = net.positions.map(() => random() - 0.5);
    const edges = [0, 1].flatMap((half) =>
      net.edges.map(([i, j, dx, dy]): NetEdge => {
        const cell = half + dx;
        return [i + half * n, j + (((cell % 2) + 2) % 2) * n, Math.floor(cell / 2), dy];
      }),
    );
    const [a, b] = net.latticeVectors;
    const double: Net = {
      ...net,
      edges,
      latticeVectors: [[2 * a[0], 2 * a[1]], b],
      positions: [0, 1].flatMap((half) => net.positions.map(([x, y]): Vec2 => [(x + half) / 2, y])),
      orbitOf: [...net.orbitOf, ...net.orbitOf],
    };
    const [whole, folded] = [modelOf(net, onsite), modelOf(double, [...onsite, ...onsite])];
    for (let round = 0; round < 5; round++) {
      const [x, y]: Vec2 = [random(), random()];
      const parts = [...energiesAt(whole, [x / 2, y]), ...energiesAt(whole, [(x + 1) / 2, y])];
      expectClose(energiesAt(folded, [x, y]), ascending(parts));
    }
    // Flat bands stay flat with twice the multiplicity; the Fermi level of half filling is the same.
    const twice = flatBandLevels(whole).map(({ energy, multiplicity }) => [energy, 2 * multiplicity]);
    const flat = flatBandLevels(folded).map(({ energy, multiplicity }) => [energy, multiplicity]);
    expectClose(flat.flat(), twice.flat(), 1e-7);
    const [single, both] = [energyGrid(whole, 24), energyGrid(folded, 24)];
    expect(fermiLevel(both, n).energy).toBeCloseTo(fermiLevel(single, n / 2).energy, 1);
  });

  it.each(NETS)(
    '%s: do not depend on the order of sites or the direction in which a bond is listed',
    (_, net) => {
      expect.hasAssertions();
      const n = net.positions.length;
      const order = Array.from({ length: n }, (_site, index) => index).toSorted(() => random() - 0.5);
      const onsite = net.positions.map(() => random() - 0.5);
      const edges = net.edges.map(
        ([i, j, dx, dy]): NetEdge =>
          random() < 0.5 ? [order[i], order[j], dx, dy] : [order[j], order[i], -dx, -dy],
      );
      const moved = Array.from({ length: n }, (_site, site) => onsite[order.indexOf(site)]);
      const k: Vec2 = [random(), random()];
      expectClose(energiesAt(modelOf({ ...net, edges }, moved), k), energiesAt(modelOf(net, onsite), k));
    },
  );

  it.each(NETS)(
    '%s: the density of states integrates to the number of bands for any number of bins',
    (_, net) => {
      const grid = energyGrid(createModel({ net }), 8);
      for (const bins of [1, 2, 7, 50]) {
        const { density, energies, integrated } = densityOfStates(grid, bins);
        const width =
          bins > 1 ? energies[1] - energies[0] : 2 * (energies[0] - densityOfStates(grid, 2).energies[0]) * 2;
        expect(density.reduce((sum, value) => sum + value * width, 0)).toBeCloseTo(net.positions.length, 8);
        expect(integrated.at(-1)).toBeCloseTo(net.positions.length, 8);
      }
    },
  );
});

describe('blochState', () => {
  it('is real, positive and equal on all sites at Γ of a net with equal sites', () => {
    for (const id of ['sql', 'hcb', 'kgm']) {
      const { amplitudes, energy } = blochState(createModel({ net: netById(id), t1: -1 }), 0, [0, 0]);
      expect(energy).toBeCloseTo(-netById(id).orbits[0].degree, 9);
      for (const { re, im, probability, phaseRad } of amplitudes) {
        expect([im, phaseRad]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
        expect([re ** 2, probability]).toEqual([
          expect.closeTo(1 / amplitudes.length, 9),
          expect.closeTo(1 / amplitudes.length, 9),
        ]);
        expect(re).toBeGreaterThan(0);
      }
    }
  });
});

describe('k-paths', () => {
  it.each(
    listNets()
      .filter((_, index) => index % 23 === 0)
      .map((net) => [net.id, net] as const),
  )('%s: have the requested points, evenly spaced, and the lengths of their segments', (_, net) => {
    const corners = kPathCorners(net.planeGroup, net.latticeVectors);
    const legs = corners.length - 1;
    const reciprocal = reciprocalVectors(net.latticeVectors);
    for (const count of [legs + 1, 40, 201]) {
      const { kPoints, kDist, hspNodes, hspLabels } = sampleKPath(corners, net.latticeVectors, count);
      expect([kPoints.length, kDist.length]).toEqual([count, count]);
      expect(hspLabels).toEqual(corners.map(({ label }) => label));
      const steps = kDist.slice(1).map((distance, index) => distance - kDist[index]);
      kPoints.slice(1).forEach(([x, y], index) => {
        const [u, v] = kPoints[index];
        expect(Math.hypot(...rowTimesMatrix2([x - u, y - v], reciprocal))).toBeCloseTo(steps[index], 9);
      });
      hspNodes.forEach((node, index) => {
        const at = kDist.findIndex((distance) => Math.abs(distance - node) < 1e-9);
        expect(kPoints[at]).toEqual(
          corners[index].k[0] === 0 && index > 0 && corners[index].k[1] === 0 ? [0, 0] : corners[index].k,
        );
      });
      expect(hspNodes.at(-1)).toBeCloseTo(kDist.at(-1)!, 9);
      // By the method of largest remainders, segments with several steps deviate from the ideal number by at
      // most one step.
      const ideal = hspNodes.at(-1)! / (count - 1);
      const misses = Array.from({ length: legs }, (_leg, leg) => {
        const length = hspNodes[leg + 1] - hspNodes[leg];
        const inside = kDist.filter((d) => d > hspNodes[leg] + 1e-9 && d < hspNodes[leg + 1] - 1e-9).length;
        return count === 201 && length > 2 * ideal ? Math.abs(inside + 1 - length / ideal) : 0;
      });
      expect(Math.max(...misses)).toBeLessThanOrEqual(1);
    }
  });
});

describe('edges', () => {
  it('have one canonical form, whichever of the two sites is listed first', () => {
    for (let round = 0; round < 200; round++) {
      const edge: NetEdge = [integer(3), integer(3), integer(5) - 2, integer(5) - 2];
      const [i, j, dx, dy] = edge;
      const normal = normalizedEdge(edge);
      expect(normalizedEdge([j, i, 0 - dx, 0 - dy])).toEqual(normal);
      expect(normalizedEdge(normal)).toEqual(normal);
      expect(isSimple({ siteCount: 3, edges: [edge, [j, i, 0 - dx, 0 - dy]] })).toBe(false);
      expect(isSimple({ siteCount: 3, edges: [edge] })).toBe(!(i === j && dx === 0 && dy === 0));
    }
  });

  it('are restored if a change of basis is followed by the inverse change', () => {
    for (const [, net] of NETS) {
      const graph = { siteCount: net.positions.length, edges: net.edges };
      const basis = unimodular();
      expect(Math.abs(determinant2(basis))).toBe(1);
      const there = rebased(rebased(graph, basis), inverse2(basis)).edges;
      const back = there.map(([i, j, dx, dy]): NetEdge => [i, j, dx + 0, dy + 0]);
      expect(sortedEdges(back)).toEqual(sortedEdges(net.edges));
    }
  });

  it('of an exported model are sorted by site, then by cell, and represent the same bonds', () => {
    const model = createModel({ net: netById('hcb'), t2: 0.2, haldaneFluxRad: 0.7 });
    const sorted = sortedHoppings({ ...model, hoppings: model.hoppings.toReversed() });
    expect(sorted).toEqual(sortedHoppings(model));
    const keys = sorted.map(({ from, to, dx, dy }) => [from, to, dx, dy].map((n) => n + 500).join('.'));
    expect(keys).toEqual(keys.toSorted());
    expectClose(energiesAt({ ...model, hoppings: sorted }, [0.1, 0.3]), energiesAt(model, [0.1, 0.3]));
  });
});

describe('netStructure and distanceShells', () => {
  it('the drawing is one flat layer, and shells of a cell that is too flat are refused', () => {
    for (const [, net] of NETS) {
      const { sites, latticeVectors } = netStructure(net);
      expect(sites.every(({ fractionalCoords }) => fractionalCoords[2] === 0)).toBe(true);
      expect(latticeVectors[2]).toEqual([0, 0, 10]);
      expect(latticeVectors[0][2]).toBe(0);
      expect(
        toLatticeStructureWire(net).wyckoeffs.every(
          ({ onsite }, index, all) => onsite === 0 && all[index].idx === index,
        ),
      ).toBe(true);
    }
    expect(() =>
      distanceShells(
        [[0, 0]],
        [
          [1, 0],
          [0, 1e-7],
        ],
        2,
      ),
    ).toThrow(expect.objectContaining({ code: 'degenerate-net' }));
  });

  // Shells of the square, the triangle and the honeycomb (1, √2, 2, √5 …): N. W. Ashcroft, N. D. Mermin, Solid State Physics (1976), ch. 4.
  it.each([
    ['sql', [1, Math.SQRT2, 2, Math.sqrt(5)], [2, 2, 2, 4]],
    ['hxl', [1, Math.sqrt(3), 2, Math.sqrt(7)], [3, 3, 3, 6]],
    ['hcb', [1, Math.sqrt(3), 2, Math.sqrt(7)], [3, 6, 3, 6]],
  ])('%s has the distances and numbers of pairs of the first shells', (id, distances, counts) => {
    const { positions, latticeVectors } = netById(id);
    const shells = distanceShells(positions, latticeVectors, 4);
    expectClose(
      shells.map(({ distance }) => distance),
      distances,
      1e-4,
    );
    expect(shells.map(({ pairs }) => pairs.length)).toEqual(counts);
  });
});
