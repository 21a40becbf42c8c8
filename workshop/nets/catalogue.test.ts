import { describe, expect, it } from 'vitest';
import {
  formatNetLine,
  listNets,
  type Mat2,
  multiply2,
  type Net,
  netById,
  parseNetLine,
  rowTimesMatrix2,
  spokesOf,
  transpose2,
} from '@unitcell/tight-binding';
import { barycentricPositions } from './barycentric.ts';
import { drawnNets, netOfSymbol, properMap } from './catalogue.ts';
import { curvature, formatSymbol, orbits, parseSymbol, symbolKey } from './delaney-symbol.ts';
import { barycentricEmbedding, edgeLengths, metricOf, reducedBasis } from './embedding.ts';
import { netSymmetry } from './net-symmetry.ts';
import { hasCrossings, isLegible, relax } from './relax.ts';
import { unfold } from './unfold.ts';
import { enumerateSymbols } from './enumerate.ts';

/** Small and large nets of every crystal system, with each kind of drawing. */
const SAMPLE = [
  'sql',
  'kgm',
  'mcm',
  'cem',
  'tdr',
  'sdd',
  'krj',
  'pnd',
  'fsz',
  'cqd',
  'mtc-a',
  'fzh',
  'hnd',
  'bew',
];

describe('netOfSymbol', () => {
  it.each(SAMPLE)('%s: the stored table equals the result of a new calculation', (id) => {
    const listed = netById(id);
    const built = netOfSymbol(listed.id, parseSymbol(listed.symbol!))!;
    expect(formatNetLine({ ...built, names: listed.names })).toBe(formatNetLine(listed));
  });

  it.each([
    ['two edges join the same sites', '7:1 2 4 6 7,1 3 4 5 7,2 5 6 7:3 3 3,24 3'],
    ['sites coincide in equilibrium', '7:1 2 4 6 7,1 3 4 5 7,2 5 6 7:3 18 3,4 3'],
  ])('has no entry for a tiling in which %s', (_, text) => {
    expect(netOfSymbol('improper', parseSymbol(text))).toBeUndefined();
  });
});

describe('formatNetLine and parseNetLine', () => {
  it('are inverse for every named net', () => {
    for (const net of listNets()) expect(parseNetLine(formatNetLine(net))).toEqual(net);
  });
});

describe('unfold', () => {
  it.each([
    ['1:1,1,1:4,4', 1, 2, 1],
    ['1:1,1,1:6,3', 2, 3, 1],
    ['2:1 2,1 2,2:3 6,4', 3, 6, 3],
  ])('%s: %i sites, %i edges, %i faces in a primitive cell', (text, sites, edges, faces) => {
    const map = unfold(parseSymbol(text));
    expect([map.siteCount, map.edges.length, map.faces.length]).toEqual([sites, edges, faces]);
  });

  it('gives every face the size, and every site the degree, of its symbol', () => {
    for (const id of SAMPLE) {
      const symbol = parseSymbol(netById(id).symbol!);
      const map = unfold(symbol);
      expect(new Set(map.faces.map((face) => face.length))).toEqual(new Set(symbol.faceSize));
      expect(new Set(spokesOf(map).map((spokes) => spokes.length))).toEqual(new Set(symbol.degree));
      expect(map.siteCount - map.edges.length + map.faces.length).toBe(0);
    }
  });

  it('refuses symbols of the sphere and of the hyperbolic plane', () => {
    expect(() => unfold(parseSymbol('1:1,1,1:4,3'))).toThrow(/Euclidean|torus/);
    expect(() => unfold(parseSymbol('1:1,1,1:7,3'))).toThrow(/Euclidean|torus/);
  });
});

describe('barycentricPositions', () => {
  it('puts every site at the mean of its neighbours', () => {
    for (const id of SAMPLE) {
      const map = unfold(parseSymbol(netById(id).symbol!));
      const positions = barycentricPositions(map);
      spokesOf(map).forEach((spokes, site) => {
        for (const axis of [0, 1] as const) {
          const mean =
            spokes.reduce((sum, { to, dx, dy }) => sum + positions[to][axis] + [dx, dy][axis], 0) /
            spokes.length;
          expect(mean).toBeCloseTo(positions[site][axis], 10);
        }
      });
    }
  });
});

describe('netSymmetry', () => {
  it.each([
    ['sql', 8],
    ['kgm', 12],
    ['fsz', 6],
    ['mcm', 8],
    ['tdr', 2],
    ['pnd', 6],
  ])('%s has %i operations per primitive cell', (id, count) => {
    const map = unfold(parseSymbol(netById(id).symbol!));
    expect(netSymmetry(map, barycentricPositions(map))).toHaveLength(count);
  });
});

describe('relax', () => {
  it('makes the edges of the uniform nets equal, without crossings', () => {
    for (const id of [
      'sql',
      'hxl',
      'hcb',
      'kgm',
      'fsz',
      'htb',
      'hca',
      'fxt',
      'fes',
      'cem',
      'tts',
      'krj',
      'usm',
    ]) {
      const net: Net = netById(id);
      const lengths = edgeLengths({ siteCount: net.positions.length, edges: net.edges }, net);
      // If equal edges are only just possible (net cem), the minimum is quartic and the last digits do not
      // converge.
      for (const length of lengths) expect(length).toBeCloseTo(1, 4);
      expect(net.drawing).toBe('equal edges');
    }
  });

  it('keeps the metric invariant under every operation', () => {
    for (const id of SAMPLE) {
      const { map, positions } = properMap(parseSymbol(netById(id).symbol!))!;
      const operations = netSymmetry(map, positions);
      const { latticeVectors } = relax(map, barycentricEmbedding(map, positions, operations), operations);
      const metric = metricOf(latticeVectors);
      for (const { matrix } of operations) {
        const image = multiply2(multiply2(matrix, metric), transpose2(matrix));
        image.flat().forEach((x, k) => expect(x).toBeCloseTo(metric.flat()[k], 9));
      }
    }
  });

  it('detects crossing edges when a site is moved out of its hexagon', () => {
    const map = unfold(parseSymbol('1:1,1,1:6,3'));
    const positions = barycentricPositions(map);
    const operations = netSymmetry(map, positions);
    const { latticeVectors } = barycentricEmbedding(map, positions, operations);
    expect(hasCrossings(map, { positions, latticeVectors })).toBe(false);
    expect(isLegible(map, { positions, latticeVectors })).toBe(true);
    const pulled = [positions[0], [positions[1][0] + 0.9, positions[1][1] + 0.35] as const];
    expect(isLegible(map, { positions: pulled, latticeVectors })).toBe(false);
  });
});

describe('reducedBasis', () => {
  it('gives the shortest vectors of a sheared square lattice', () => {
    const sheared: Mat2 = [
      [1, 0],
      [7, 1],
    ];
    const basis = reducedBasis(metricOf(sheared));
    for (const row of basis) expect(Math.hypot(...rowTimesMatrix2(row, sheared))).toBeCloseTo(1, 12);
  });
});

const symbols = [...enumerateSymbols(12)];

describe('enumerateSymbols', () => {
  it.each([
    [4, 17],
    [6, 70],
    [8, 270],
    [10, 879],
    [12, 2638],
  ])('finds the known number of tilings of at most %i chambers: %i', (size, count) => {
    expect(symbols.filter((symbol) => symbol.size <= size)).toHaveLength(count);
  });

  it('finds exactly the 11 Archimedean tilings with one kind of vertex', () => {
    expect(symbols.filter((symbol) => orbits(symbol, 1, 2).length === 1)).toHaveLength(11);
  });

  it('is closed under duality: exchanging faces and vertices permutes the list', () => {
    const keys = new Set(symbols.map(formatSymbol));
    for (const {
      size,
      neighbours: [s0, s1, s2],
      faceSize,
      degree,
    } of symbols)
      expect(
        keys.has(symbolKey({ size, neighbours: [s2, s1, s0], faceSize: degree, degree: faceSize })),
      ).toBe(true);
  });

  it('gives every symbol once, in canonical numbering and with full symmetry', () => {
    expect(new Set(symbols.map(formatSymbol)).size).toBe(symbols.length);
    for (const symbol of symbols) expect(symbolKey(symbol)).toBe(formatSymbol(symbol));
  });

  it('gives tilings of the Euclidean plane only', () => {
    for (const symbol of symbols) expect(Math.abs(curvature(symbol))).toBeLessThan(1e-12);
  });

  it('every symbol unfolds; 2,082 are proper nets', () => {
    expect(symbols.filter((symbol) => properMap(symbol) !== undefined)).toHaveLength(2082);
  });
});

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

  it('is stored in the table as it is constructed', () => {
    for (const made of drawn) {
      const stored = netById(made.id);
      const { orbits: kinds, edges, planeGroup, orbitOf } = stored;
      expect({ ...made, names: [] }).toMatchObject({ orbits: kinds, edges, planeGroup, orbitOf });
      made.positions.flat().forEach((x, k) => expect(x).toBeCloseTo(stored.positions.flat()[k], 5));
      made.latticeVectors.flat().forEach((x, k) => expect(x).toBeCloseTo(stored.latticeVectors.flat()[k], 5));
    }
  });

  it('with sites on every edge has flat bands at 0, as many as the difference in number of the two kinds of site (E. H. Lieb, Phys. Rev. Lett. 62 (1989) 1201)', () => {
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

  it('subdivided-kagome has flat bands at 0 and ±√2, to eight digits', () => {
    // H² of a net with a site on every edge is A + d on the old sites: E = ±√(4 − 2) of the flat band of kagome at −2.
    expect(net('subdivided-kagome').flatBands).toEqual([
      { energy: -1.41421356, multiplicity: 1 },
      { energy: 0, multiplicity: 3 },
      { energy: 1.41421356, multiplicity: 1 },
    ]);
  });

  it('that is a line graph has as many flat bands at −2 as its base graph has more edges than sites (A. Mielke, J. Phys. A 24 (1991) L73)', () => {
    // With hoppings of +1 every line graph has E ≥ −2. If its base is bipartite, it has one more flat band at −2.
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
