import { describe, expect, it } from 'vitest';
import { listNets, netById } from '../net.ts';
import { TightBindingError } from '../tight-binding-error.ts';
import { bandStructure, MAX_K_POINTS, toBandStructureWire } from './band-structure.ts';
import { createBlochSolver } from './bloch-solver.ts';
import { createModel } from './model.ts';
import { dot2, rowTimesMatrix2, type Vec2 } from '../periodic-graph.ts';
import { kPathCorners, reciprocalVectors } from './k-path.ts';

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof TightBindingError) return error.code;
    throw error;
  }
};
const tau = 2 * Math.PI;

describe('closed forms (H = t · adjacency)', () => {
  const points = [
    [0, 0],
    [0.5, 0],
    [1 / 3, 1 / 3],
    [0.13, 0.41],
    [0.72, 0.28],
  ] as const;
  const honeycombSum = (x: number, y: number) =>
    2 * (Math.cos(tau * x) + Math.cos(tau * y) + Math.cos(tau * (x + y)));
  it.each([
    ['sql', (x: number, y: number) => [2 * (Math.cos(tau * x) + Math.cos(tau * y))]],
    ['hxl', (x: number, y: number) => [honeycombSum(x, y)]],
    ['hcb', (x: number, y: number) => [-1, 1].map((s) => s * Math.sqrt(Math.max(0, 3 + honeycombSum(x, y))))],
    [
      'kgm',
      (x: number, y: number) => [
        -2,
        ...[-1, 1].map((s) => 1 + s * Math.sqrt(Math.max(0, 3 + honeycombSum(x, y)))),
      ],
    ],
    [
      'dice',
      (x: number, y: number) => [-1, 0, 1].map((s) => s * Math.sqrt(2 * Math.max(0, 3 + honeycombSum(x, y)))),
    ],
    [
      'lieb',
      (x: number, y: number) =>
        [-1, 0, 1].map((s) => 2 * s * Math.sqrt(Math.cos(Math.PI * x) ** 2 + Math.cos(Math.PI * y) ** 2)),
    ],
    ['checkboard', (x: number, y: number) => [-2, 2 + 2 * (Math.cos(tau * x) + Math.cos(tau * y))]],
  ] as const)('%s', (id, energies) => {
    const solver = createBlochSolver(createModel({ net: netById(id), t1: 1 }));
    for (const [x, y] of points) {
      const expected = [...energies(x, y)].sort((a, b) => a - b);
      solver.energies([x, y]).forEach((energy, band) => expect(energy).toBeCloseTo(expected[band], 7));
    }
  });
});

describe('bandStructure', () => {
  it('kagome with t1 = −1 has a flat band at +2 on top, its lowest energy at −4 and a Dirac crossing at K', () => {
    const { bands, hspNodes, hspLabels, kDist } = bandStructure({ net: netById('kgm') });
    expect(hspLabels).toEqual(['Γ', 'M', 'K', 'Γ']);
    expect(bands).toHaveLength(3);
    for (const energy of bands[2]) expect(energy).toBeCloseTo(2, 10);
    expect(bands[0][0]).toBeCloseTo(-4, 10);
    const atK = kDist.indexOf(hspNodes[2]);
    expect(bands[0][atK]).toBeCloseTo(-1, 7);
    expect(bands[1][atK]).toBeCloseTo(-1, 7);
  });

  it.each([
    ['graph', [-4.8, 1.8, 1.8]],
    ['distance', [-4.4, 2.2, 2.2]],
  ] as const)('kagome with t2 = −0.1 and the rule %s has the energies %j at Γ', (t2Rule, expected) => {
    const { bands } = bandStructure({ net: netById('kgm'), t1: -1, t2: -0.1, t2Rule });
    expected.forEach((energy, band) => expect(bands[band][0]).toBeCloseTo(energy, 10));
  });

  it('couples second neighbours by default by graph distance', () => {
    const net = netById('sql');
    expect(bandStructure({ net, t2: -0.1 }).bands).toEqual(
      bandStructure({ net, t2: -0.1, t2Rule: 'graph' }).bands,
    );
    expect(bandStructure({ net, t2: -0.1 }).bands[0][0]).toBeCloseTo(-4.8, 10);
  });

  it('returns the requested number of points, with rising distances and the path corners among them', () => {
    for (const id of ['kgm', 'sql', 'bew', 'cem', 'tdr', 'sdd'])
      for (const kPointCount of [7, 50, 200]) {
        const { kPoints, kDist, hspNodes, bands } = bandStructure({ net: netById(id), kPointCount });
        expect(kPoints).toHaveLength(kPointCount);
        expect(bands[0]).toHaveLength(kPointCount);
        kDist.slice(1).forEach((distance, index) => expect(distance).toBeGreaterThan(kDist[index]));
        for (const node of hspNodes)
          expect(kDist.some((distance) => Math.abs(distance - node) < 1e-9)).toBe(true);
      }
  });

  it('distances are lengths of wave vectors with the factor 2π: π from Γ to X of the square lattice', () => {
    const { hspNodes, hspLabels } = bandStructure({ net: netById('sql') });
    expect(hspLabels.slice(0, 2)).toEqual(['Γ', 'X']);
    expect(hspNodes[1]).toBeCloseTo(Math.PI, 12);
  });

  it('on-site energies given per kind of site and per site result in the same bands', () => {
    const net = netById('lieb');
    const perKind = net.orbits.map((_, index) => 0.5 - index);
    const perSite = net.orbitOf.map((orbit) => perKind[orbit]);
    expect(bandStructure({ net, onsite: perKind }).bands).toEqual(
      bandStructure({ net, onsite: perSite }).bands,
    );
  });

  it('toBandStructureWire uses the field names of the API call, with one trace per band', () => {
    const wire = toBandStructureWire(bandStructure({ net: netById('kgm'), kPointCount: 20 }));
    expect(wire.plotly_data).toHaveLength(3);
    expect(wire.plotly_data[0]).toMatchObject({ type: 'scatter', mode: 'lines', x: wire.k_dist });
    expect(wire.hsp_labels).toHaveLength(wire.hsp_nodes.length);
  });
});

describe('invalid input', () => {
  const net = netById('kgm');
  it.each([
    ['unknown-net', () => netById('no such lattice')],
    ['unknown-net', () => netById('')],
    ['ratio-out-of-range', () => bandStructure({ net, t1: 1.5 })],
    ['ratio-out-of-range', () => bandStructure({ net, t2: Number.NaN })],
    ['ratio-out-of-range', () => bandStructure({ net, t2: Number.NEGATIVE_INFINITY })],
    ['invalid-onsite', () => bandStructure({ net, onsite: [0, 0] })],
    ['invalid-onsite', () => bandStructure({ net, onsite: [] })],
    ['invalid-onsite', () => bandStructure({ net, onsite: [Number.NaN] })],
    ['invalid-onsite', () => bandStructure({ net, onsite: [1e9] })],
    ['too-many-k-points', () => bandStructure({ net, kPointCount: 10_000 })],
    ['too-many-k-points', () => bandStructure({ net, kPointCount: MAX_K_POINTS + 1 })],
    ['invalid-option', () => bandStructure({ net, kPointCount: 1 })],
    ['invalid-option', () => bandStructure({ net, kPointCount: 10.5 })],
    ['invalid-option', () => bandStructure({ net, haldaneFluxRad: Number.NaN })],
    ['invalid-option', () => bandStructure({ net, t2Rule: 'nearest' as 'graph' })],
  ])('%s: %s', (code, run) => expect(codeOf(run)).toBe(code));

  it('the message states what was found, what was expected and what to do', () => {
    expect(() => bandStructure({ net, onsite: [0, 0] })).toThrow(
      /kgm has 1 kinds? of site \(c\) and 3 sites, but 2 on-site energies/,
    );
    expect(() => netById('kg')).toThrow(/Similar: kgd/);
  });
});

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

/**
 * Number of reciprocal lattice points that are nearest to a point: 1 at Γ, 3 at corners of the zone, 2 on its
 * sides.
 */
function expectedCount(label: string, planeGroup: string): number {
  if (label === 'Γ') return 1;
  const isCorner =
    ['K', 'S', 'H', 'H1', 'A1'].includes(label) || (label === 'M' && planeGroup.startsWith('p4'));
  return isCorner ? 3 : 2;
}

describe('kPathCorners', () => {
  it('lie on the border of the Brillouin zone of every net, and at its corners if named after corners', () => {
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

  it('start and end at Γ', () => {
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
