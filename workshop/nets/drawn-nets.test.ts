/**
 * Lattices that physics draws with sites on edges or with crossing edges, compared with counts by hand and
 * with the table.
 */
import { type Net, netById } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { drawnNets } from './catalogue.ts';

const drawn = drawnNets((code) => netById(code));
const net = (id: string): Net => drawn.find((one) => one.id === id)!;
const degreesOf = ({ positions, edges }: Net): number[] =>
  positions
    .map((_, site) => edges.reduce((sum, [i, j]) => sum + Number(i === site) + Number(j === site), 0))
    .sort((a, b) => a - b);
const times = (count: number, degree: number): number[] => Array.from({ length: count }, () => degree);

describe('a drawn lattice', () => {
  // A net of V sites and E edges with n sites on every edge has V + nE sites and (n + 1)E edges; its line graph has E sites and
  // Σ d(d − 1)/2 edges (F. Harary, Graph Theory, 1969, ch. 8). Square: V = 1, E = 2; honeycomb 2, 3; kagome 3, 6; triangular 1, 3.
  it.each([
    ['lieb', [...times(2, 2), 4], 4],
    ['lieb-5', [...times(4, 2), 4], 6],
    ['lieb-7', [...times(6, 2), 4], 8],
    ['checkboard', times(2, 6), 6],
    // Hexagonal Lieb lattice: five sites, two of them corners of the honeycomb.
    ['superhoneycomb', [...times(3, 2), 3, 3], 6],
    // α-graphyne: eight carbon atoms (D. Malko et al., Phys. Rev. Lett. 108 (2012) 086804).
    ['alpha-graphyne', [...times(6, 2), 3, 3], 9],
    ['subdivided-kagome', [...times(6, 2), ...times(3, 4)], 12],
    ['subdivided-triangular', [...times(3, 2), 6], 6],
    ['kagome-line', times(6, 6), 18],
    ['lieb-line', times(4, 4), 8],
    ['triangular-line', times(3, 10), 15],
  ])('%s has the sites and edges of its construction', (id, degrees, edges) => {
    expect(degreesOf(net(id))).toEqual(degrees);
    expect(net(id).edges).toHaveLength(edges);
  });

  it('is in the table as constructed', () => {
    for (const made of drawn) {
      const stored = netById(made.id);
      const { orbits, edges, planeGroup, orbitOf } = stored;
      expect({ ...made, names: [] }).toMatchObject({ orbits, edges, planeGroup, orbitOf });
      made.positions.flat().forEach((x, k) => expect(x).toBeCloseTo(stored.positions.flat()[k], 5));
      made.latticeVectors.flat().forEach((x, k) => expect(x).toBeCloseTo(stored.latticeVectors.flat()[k], 5));
    }
  });

  it('with sites on every edge has as many flat bands at 0 as the two kinds of site differ in number (E. H. Lieb, Phys. Rev. Lett. 62 (1989) 1201)', () => {
    for (const [id, difference] of [
      ['lieb', 1],
      ['superhoneycomb', 1],
      ['subdivided-kagome', 3],
      ['subdivided-triangular', 2],
    ] as const)
      expect([id, net(id).flatBands.find(({ energy }) => Math.abs(energy) < 1e-6)?.multiplicity]).toEqual([
        id,
        difference,
      ]);
  });

  it('subdivided-kagome has its flat bands at 0 and ±√2, kept to eight digits', () => {
    // H² of a net with a site on every edge is A + d on the old sites: E = ±√(4 − 2) of the flat band of kagome at −2.
    expect(net('subdivided-kagome').flatBands).toEqual([
      { energy: -1.41421356, multiplicity: 1 },
      { energy: 0, multiplicity: 3 },
      { energy: 1.41421356, multiplicity: 1 },
    ]);
  });

  it('that is a line graph has flat bands at −2, as many as edges exceed sites (A. Mielke, J. Phys. A 24 (1991) L73)', () => {
    // Hoppings +1: E ≥ −2 for every line graph; a bipartite base gives one more.
    for (const [id, count] of [
      ['checkboard', 1],
      ['kagome-line', 3],
      ['lieb-line', 1],
      ['triangular-line', 2],
    ] as const)
      expect([id, net(id).flatBands.find(({ energy }) => Math.abs(energy + 2) < 1e-6)?.multiplicity]).toEqual(
        [id, count],
      );
  });
});
