/** Laws of the nearest-neighbour model of every net, tested on the whole catalogue. */
import { beforeAll, describe, expect, it } from 'vitest';
import { readCif } from '@unitcell/crystal';
import { createBlochSolver } from './bands/bloch-solver.ts';
import { flatBandLevels } from './bands/flat-bands.ts';
import { createModel } from './bands/model.ts';
import {
  findNet,
  listNets,
  loadAllNets,
  type Net,
  netById,
  netStructure,
  toLatticeStructureWire,
} from './net.ts';
import { edgeVector, isSimple, rowTimesMatrix2, sortedEdges, spokesOf } from './periodic-graph.ts';

let all: readonly Net[] = [];
beforeAll(async () => {
  all = await loadAllNets();
});
/** Ids of the nets that violate a law; comparing the list with [] shows all of them at once. */
const violations = (nets: readonly Net[], holds: (net: Net) => boolean): string[] =>
  nets.filter((net) => !holds(net)).map(({ id }) => id);
const isSystematic = ({ id, names }: Net) => [id, ...names].some((name) => /^n\d+\.\d+$/.test(name));
const degrees = (net: Net) => net.orbitOf.map((orbit) => net.orbits[orbit].degree);

/**
 * Sublattice sizes of a bipartite net, or undefined. Nets that are bipartite only in a doubled cell are not
 * recognised.
 */
function sublattices(net: Net): [number, number] | undefined {
  const spokes = spokesOf({ siteCount: net.positions.length, edges: net.edges });
  const side = Array.from({ length: net.positions.length }, (): number => -1);
  side[0] = 0;
  const queue = [0];
  for (const site of queue)
    for (const { to } of spokes[site]) {
      if (side[to] === -1) {
        side[to] = 1 - side[site];
        queue.push(to);
      } else if (side[to] === side[site]) return undefined;
    }
  const zeros = side.filter((s) => s === 0).length;
  return [zeros, side.length - zeros];
}

describe('the catalogue of nets', () => {
  it('contains at least 270 named lattices and every proper net of at most 12 chambers', () => {
    expect(listNets().length).toBeGreaterThanOrEqual(270);
    expect(all.filter(isSystematic)).toHaveLength(2082);
  });

  it('has unique ids, and no alias of a net is the id of another', () => {
    const ids = new Set(all.map(({ id }) => id));
    expect(ids.size).toBe(all.length);
    for (const net of all) for (const name of net.names) expect(ids.has(name)).toBe(false);
  });

  it('contains the lattice codes that the product lists', () => {
    const names = new Set(listNets().flatMap(({ id, names: own }) => [id, ...own]));
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    const listed = [
      'kgm',
      'bew',
      'cem',
      'dha',
      'fwa',
      'hna',
      'krj',
      'mta',
      'sdb',
      'tdr',
      'lieb',
      'checkboard',
      'star',
      'ruby',
      ...letters.map((c) => `cp${c}`),
      ...letters.map((c) => `cq${c}`),
    ];
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
  });

  it('stores simple graphs in canonical form with positions in the cell and the stated degrees', () => {
    const isInCell = (x: number) => x >= 0 && x < 1;
    const isSound = (net: Net) => {
      const graph = { siteCount: net.positions.length, edges: net.edges };
      return (
        isSimple(graph) &&
        JSON.stringify(net.edges) === JSON.stringify(sortedEdges(net.edges)) &&
        spokesOf(graph).every((spokes, site) => spokes.length === degrees(net)[site]) &&
        net.positions.flat().every(isInCell)
      );
    };
    expect(violations(all, isSound)).toEqual([]);
  });

  it('has mean edge length 1', () => {
    const meanLength = (net: Net) =>
      net.edges
        .map((edge) => Math.hypot(...rowTimesMatrix2(edgeVector(edge, net.positions), net.latticeVectors)))
        .reduce((sum, length) => sum + length, 0) / net.edges.length;
    expect(violations(all, (net) => Math.abs(meanLength(net) - 1) < 2e-5)).toEqual([]);
  });
});

describe('H = +1 · adjacency, for every net', () => {
  it('has its largest eigenvalue at Γ, between the mean and largest degree (equal for regular nets)', () => {
    const isBounded = (net: Net) => {
      const top = createBlochSolver(createModel({ net, t1: 1 }))
        .energies([0, 0])
        .at(-1)!;
      const list = degrees(net);
      const mean = list.reduce((sum, degree) => sum + degree, 0) / list.length;
      return top > mean - 1e-9 && top < Math.max(...list) + 1e-9;
    };
    expect(violations(all, isBounded)).toEqual([]);
  });

  it('has trace 0, and a trace of H² equal to twice the edges on average over k', () => {
    const divisions = 5;
    const hasMoments = (net: Net) => {
      const solver = createBlochSolver(createModel({ net, t1: 1 }));
      let [first, second] = [0, 0];
      for (let i = 0; i < divisions; i++)
        for (let j = 0; j < divisions; j++)
          for (const energy of solver.energies([i / divisions, j / divisions])) {
            first += energy;
            second += energy * energy;
          }
      return Math.abs(first) < 1e-8 && Math.abs(second / divisions ** 2 - 2 * net.edges.length) < 1e-7;
    };
    expect(violations(all, hasMoments)).toEqual([]);
  });

  it('is even in k, also with second neighbours', () => {
    const isEven = (net: Net) => {
      const solver = createBlochSolver(createModel({ net, t1: 1, t2: 0.3 }));
      const plus = solver.energies([0.13, 0.37]).slice();
      return solver.energies([-0.13, -0.37]).every((energy, band) => Math.abs(energy - plus[band]) < 1e-9);
    };
    expect(violations(listNets(), isEven)).toEqual([]);
  });

  it('has at least |p − q| flat bands at 0 and a symmetric spectrum if bipartite with p and q sites', () => {
    const bipartite = all.flatMap((net) => {
      const sides = sublattices(net);
      return sides ? [{ net, imbalance: Math.abs(sides[0] - sides[1]) }] : [];
    });
    expect(bipartite.length).toBeGreaterThan(50);
    const offenders = bipartite.filter(({ net, imbalance }) => {
      const atZero = net.flatBands.find(({ energy }) => energy === 0)?.multiplicity ?? 0;
      const energies = createBlochSolver(createModel({ net, t1: 1 })).energies([0.21, 0.34]);
      const isSymmetric = energies.every(
        (energy, band) => Math.abs(energy + energies[energies.length - 1 - band]) < 1e-8,
      );
      return atZero < imbalance || !isSymmetric;
    });
    expect(offenders.map(({ net }) => net.id)).toEqual([]);
  });

  it('has the stored flat bands: 1,324 of the proper nets of the enumeration have one', () => {
    const isAsStored = (net: Net) => {
      const found = flatBandLevels(createModel({ net, t1: 1 }));
      return (
        found.length === net.flatBands.length &&
        found.every(
          ({ energy, multiplicity }, index) =>
            Math.abs(energy - net.flatBands[index].energy) < 1e-7 &&
            multiplicity === net.flatBands[index].multiplicity,
        )
      );
    };
    expect(violations(listNets(), isAsStored)).toEqual([]);
    expect(all.filter((net) => isSystematic(net) && net.flatBands.length > 0)).toHaveLength(1324);
  });

  it.each([
    ['kgm', 2, 3],
    ['dha', 4, 6],
    ['hca-e', 6, 9],
  ])(
    '%s, the line graph of a net with %i sites and %i edges, has at least edges − sites bands at −2',
    (id, sites, edges) => {
      const level = netById(id).flatBands.find(({ energy }) => energy === -2);
      expect(level?.multiplicity ?? 0).toBeGreaterThanOrEqual(edges - sites);
    },
  );
});

describe('toLatticeStructureWire', () => {
  it('gives a CIF from which all sites and the cell are read back', () => {
    for (const id of ['kgm', 'lieb', 'cem', 'esq', 'tdy']) {
      const net = netById(id);
      const { script } = toLatticeStructureWire(net);
      const [{ structure }] = readCif(script).structures;
      expect(structure.sites).toHaveLength(net.positions.length);
      expect(script).toContain(`data_${id}`);
    }
  });

  it('lists one slider per kind of site with distinct symbols', () => {
    expect(toLatticeStructureWire(netById('kgm')).wyckoeffs).toEqual([{ idx: 0, symbol: 'c', onsite: 0 }]);
    for (const net of listNets()) {
      const symbols = toLatticeStructureWire(net).wyckoeffs.map(({ symbol }) => symbol);
      expect(new Set(symbols).size).toBe(symbols.length);
    }
  });
});

describe('netStructure', () => {
  it('draws different kinds of site as different elements', () => {
    const { sites } = netStructure(netById('lieb'));
    expect(new Set(sites.map(({ species }) => species[0].element)).size).toBe(2);
  });
});

it('findNet finds nets by id and alias, and prefers an id over an alias of another net', () => {
  const alone = findNet('kgm');
  const listed = listNets();
  expect(listed.filter((net) => net === alone)).toHaveLength(1);
  const ids = new Set(listed.map(({ id }) => id));
  for (const net of listed) {
    expect(findNet(net.id)).toBe(net);
    for (const name of net.names.filter((alias) => !ids.has(alias)))
      expect(findNet(name)?.names).toContain(name);
  }
  expect(findNet('no such net')).toBeUndefined();
});
