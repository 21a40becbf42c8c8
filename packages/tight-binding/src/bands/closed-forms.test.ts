/** Bands known in closed form, and laws of every Bloch Hamiltonian on seeded random models. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { listNets, type Net, netById } from '../net.ts';
import type { Vec2 } from '../periodic-graph.ts';
import { blochState, createBlochSolver } from './bloch-solver.ts';
import { chernNumbers } from './chern-number.ts';
import { densityOfStates, energyGrid, fermiLevel, integratedStates } from './density-of-states.ts';
import { compactLocalisedState, flatBandLevels } from './flat-bands.ts';
import { createModel, type TightBindingModel } from './model.ts';

const TAU = 2 * Math.PI;
const random = seededRandom(2026);
const kPoints = Array.from({ length: 25 }, (): Vec2 => [random() - 0.5, random() - 0.5]);
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const energies = (model: TightBindingModel, k: Vec2) => Array.from(createBlochSolver(model).energies(k));
const largestDifference = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length ? Math.max(...a.map((value, i) => Math.abs(value - b[i]))) : Number.POSITIVE_INFINITY;

/** |1 + exp 2πi u + exp 2πi v|², the structure factor of the three bonds of the honeycomb. */
const honeycombSquared = (u: number, v: number) =>
  3 + 2 * Math.cos(TAU * u) + 2 * Math.cos(TAU * v) + 2 * Math.cos(TAU * (u - v));

describe('closed forms', () => {
  // k is given in fractions of the reciprocal vectors. The sign inside cos 2π(kx ± ky) depends on whether the axes meet
  // at 60° or 120°.
  const skew = (net: Net) => {
    const [[ax, ay], [bx, by]] = net.latticeVectors;
    return ax * bx + ay * by < 0 ? 1 : -1;
  };
  const hexagonal = (net: Net, [x, y]: Vec2): [number, number] => [x, -skew(net) * y];

  it.each<[string, string, (net: Net, k: Vec2) => number[]]>([
    [
      'square lattice: −2(cos kx + cos ky)',
      'sql',
      (_, [x, y]) => [-2 * (Math.cos(TAU * x) + Math.cos(TAU * y))],
    ],
    [
      'triangular lattice: 3 − |f|², twice the cosines of three directions',
      'hxl',
      (net, k) => [3 - honeycombSquared(...hexagonal(net, k))],
    ],
    [
      // P. R. Wallace, Phys. Rev. 71 (1947) 622.
      'honeycomb: ±|f|',
      'hcb',
      (net, k) => {
        const f = Math.sqrt(Math.max(0, honeycombSquared(...hexagonal(net, k))));
        return [-f, f];
      },
    ],
    [
      // Line graph of the honeycomb: A. Mielke, J. Phys. A 24 (1991) L73.
      'kagome: 2 and −1 ± |f|',
      'kgm',
      (net, k) => {
        const f = Math.sqrt(Math.max(0, honeycombSquared(...hexagonal(net, k))));
        return [-1 - f, -1 + f, 2];
      },
    ],
    [
      // E. H. Lieb, Phys. Rev. Lett. 62 (1989) 1201.
      'Lieb lattice: 0 and ±2√(cos²(kx/2) + cos²(ky/2))',
      'lieb',
      (_, [x, y]) => {
        const e = 2 * Math.hypot(Math.cos(Math.PI * x), Math.cos(Math.PI * y));
        return [-e, 0, e];
      },
    ],
    [
      // B. Sutherland, Phys. Rev. B 34 (1986) 5208: the two kinds of rim sites couple to the hub as in the honeycomb.
      'dice lattice: 0 and ±√2 |f|',
      'dice',
      (net, k) => {
        const e = Math.sqrt(2 * Math.max(0, honeycombSquared(...hexagonal(net, k))));
        return [-e, 0, e];
      },
    ],
  ])('%s', (_, id, formula) => {
    const net = netById(id);
    const solver = createBlochSolver(createModel({ net }));
    for (const k of kPoints)
      expect(largestDifference(Array.from(solver.energies(k)), ascending(formula(net, k)))).toBeLessThan(
        1e-7,
      );
  });

  it('honeycomb with unequal sites has ±√(M² + |f|²), a gap of 2M at K and no other change', () => {
    const net = netById('hcb');
    const massive = createModel({ net, onsite: [0.4, -0.4] });
    const bare = createModel({ net });
    for (const k of kPoints) {
      const [, f] = energies(bare, k);
      const e = Math.hypot(0.4, f);
      expect(largestDifference(energies(massive, k), [-e, e])).toBeLessThan(1e-9);
    }
    const third = net.latticeVectors[1][0] < 0 ? 1 / 3 : -1 / 3;
    expect(energies(massive, [1 / 3, third])).toEqual([expect.closeTo(-0.4, 9), expect.closeTo(0.4, 9)]);
  });

  it('Lieb lattice with two on-site energies keeps its flat band at the energy of the edge sites', () => {
    const net = netById('lieb');
    const edge = net.orbits.findIndex(({ degree }) => degree === 2);
    const onsite = net.orbitOf.map((orbit) => (orbit === edge ? 0.7 : -0.3));
    const model = createModel({ net, onsite });
    for (const k of kPoints)
      expect(Math.min(...energies(model, k).map((e) => Math.abs(e - 0.7)))).toBeLessThan(1e-9);
    expect(flatBandLevels(model)).toEqual([{ energy: expect.closeTo(0.7, 8), multiplicity: 1 }]);
  });

  it('the flat-band state of kagome is localised on one hexagon with alternating signs', () => {
    // D. L. Bergman, C. Wu, L. Balents, Phys. Rev. B 78 (2008) 125104.
    const state = compactLocalisedState(createModel({ net: netById('kgm') }), 2);
    expect(state?.amplitudes).toHaveLength(6);
    const values = state?.amplitudes.map(({ amplitude }) => amplitude) ?? [];
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
    expect(new Set(values.map((value) => Math.abs(value).toFixed(9))).size).toBe(1);
  });
});

describe('laws of every model', () => {
  const nets = listNets().filter(({ positions }, i) => positions.length <= 12 && i % 9 === 4);
  const models = nets.map((net) => {
    const seeded = seededRandom(net.positions.length + net.edges.length);
    const onsite = net.positions.map(() => 2 * seeded() - 1);
    return createModel({ net, t1: 2 * seeded() - 1, t2: seeded() - 0.5, onsite });
  });
  const names = models.map((model) => [model.net.id, model] as const);

  it('has enough models for a general conclusion', () => {
    expect(models.length).toBeGreaterThan(15);
  });

  it.each(names)('%s: the sum of eigenvalues equals the trace, the sum of their squares |H|²', (_, model) => {
    const solver = createBlochSolver(model);
    const trace = model.onsite.reduce((sum, energy) => sum + energy, 0);
    const divisions = 9;
    let square = 0;
    let self = 0;
    for (let i = 0; i < divisions; i++)
      for (let j = 0; j < divisions; j++) {
        const found = solver.energies([i / divisions, j / divisions]);
        square += found.reduce((sum, e) => sum + e * e, 0);
        self += found.reduce((sum, e) => sum + e, 0);
      }
    expect(self / divisions ** 2).toBeCloseTo(trace, 8);
    const expected =
      model.onsite.reduce((sum, e) => sum + e * e, 0) +
      2 * model.hoppings.reduce((sum, { re, im }) => sum + re * re + im * im, 0);
    expect(square / divisions ** 2).toBeCloseTo(expected, 7);
  });

  it.each(names)(
    '%s: energies are periodic and even in k, and shift by a common on-site energy',
    (_, model) => {
      const [x, y] = kPoints[3];
      const found = energies(model, [x, y]);
      expect(largestDifference(energies(model, [x + 2, y - 3]), found)).toBeLessThan(1e-8);
      expect(largestDifference(energies(model, [-x, -y]), found)).toBeLessThan(1e-8);
      const lifted = { ...model, onsite: model.onsite.map((energy) => energy + 1.5) };
      expect(
        largestDifference(
          energies(lifted, [x, y]),
          found.map((e) => e + 1.5),
        ),
      ).toBeLessThan(1e-8);
    },
  );

  it.each(names)(
    '%s: the bands do not depend on the order of sites and the cell each is listed in',
    (_, model) => {
      const seeded = seededRandom(5);
      const place = model.net.positions
        .map((_site, i) => ({ i, key: seeded() }))
        .sort((a, b) => a.key - b.key);
      const newIndex: number[] = [];
      place.forEach(({ i }, n) => (newIndex[i] = n));
      const cell = model.net.positions.map(
        (): Vec2 => [Math.floor(3 * seeded()) - 1, Math.floor(3 * seeded()) - 1],
      );
      const relabelled: TightBindingModel = {
        ...model,
        net: { ...model.net, positions: place.map(({ i }) => model.net.positions[i]) },
        onsite: place.map(({ i }) => model.onsite[i]),
        hoppings: model.hoppings.map(({ from, to, dx, dy, re, im }) => ({
          from: newIndex[from],
          to: newIndex[to],
          dx: dx + cell[to][0] - cell[from][0],
          dy: dy + cell[to][1] - cell[from][1],
          re,
          im,
        })),
      };
      for (const k of kPoints.slice(0, 4))
        expect(largestDifference(energies(relabelled, k), energies(model, k))).toBeLessThan(1e-8);
    },
  );

  it.each(names)(
    '%s: a bond listed from its other end with the conjugate amplitude is the same bond',
    (_, model) => {
      const turned: TightBindingModel = {
        ...model,
        hoppings: model.hoppings.map(({ from, to, dx, dy, re, im }, n) =>
          n % 2 === 0
            ? { from: to, to: from, dx: 0 - dx, dy: 0 - dy, re, im: 0 - im }
            : { from, to, dx, dy, re, im },
        ),
      };
      for (const k of kPoints.slice(4, 7))
        expect(largestDifference(energies(turned, k), energies(model, k))).toBeLessThan(1e-9);
    },
  );

  it.each(names)('%s: every energy lies inside the Gershgorin discs of its sites', (_, model) => {
    const reach = model.onsite.map((): number => 0);
    for (const { from, to, re, im } of model.hoppings) {
      reach[from] += Math.hypot(re, im);
      reach[to] += Math.hypot(re, im);
    }
    for (const k of kPoints.slice(7, 12))
      for (const e of energies(model, k))
        expect(model.onsite.some((centre, site) => Math.abs(e - centre) <= reach[site] + 1e-9)).toBe(true);
  });

  it.each(names)(
    '%s: probabilities of a state add up to 1, and over the states of one k every site has equal weight',
    (_, model) => {
      const weight = model.onsite.map((): number => 0);
      for (let band = 0; band < model.onsite.length; band++) {
        const { amplitudes } = blochState(model, band, kPoints[8]);
        expect(amplitudes.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
        amplitudes.forEach(({ probability }, site) => (weight[site] += probability));
      }
      for (const sum of weight) expect(sum).toBeCloseTo(1, 8);
    },
  );

  it.each(names)(
    '%s: the density of states integrates to the number of bands, and the Fermi level recovers the filling',
    (_, model) => {
      const grid = energyGrid(model, 12);
      const { energies: centres, density, integrated } = densityOfStates(grid, 90);
      const width = centres[1] - centres[0];
      expect(density.every((value) => value >= 0)).toBe(true);
      expect(density.reduce((sum, value) => sum + value, 0) * width).toBeCloseTo(model.onsite.length, 6);
      expect(integrated.every((value, i) => i === 0 || value >= integrated[i - 1] - 1e-12)).toBe(true);
      expect(integratedStates(grid, centres[40] + width / 2)).toBeCloseTo(integrated[40], 8);
      const filling = 0.37 * model.onsite.length;
      const { energy } = fermiLevel(grid, filling);
      expect(integratedStates(grid, energy)).toBeCloseTo(filling, 3);
    },
  );
});

describe('Haldane model: phase boundary |M| = 3√3 t₂ |sin φ|', () => {
  // F. D. M. Haldane, Phys. Rev. Lett. 61 (1988) 2015, figure 2.
  const T2 = 0.1;
  const lowest = (mass: number, haldaneFluxRad: number) =>
    chernNumbers(createModel({ net: netById('hcb'), t2: T2, haldaneFluxRad, onsite: [mass, -mass] }), 16)[0]
      .chern;
  const seeded = seededRandom(1988);
  const cases = Array.from({ length: 14 }, (_, n) => {
    const flux = (0.15 + 0.7 * seeded()) * Math.PI * (n % 2 === 0 ? 1 : -1);
    const border = 3 * Math.sqrt(3) * T2 * Math.abs(Math.sin(flux));
    const isInside = n % 4 < 2;
    const share = isInside ? 0.8 * seeded() : 1.2 + seeded();
    return { flux, mass: share * border * (seeded() < 0.5 ? -1 : 1), isInside };
  });

  it.each(cases)('φ = $flux, M = $mass: topological $isInside', ({ flux, mass, isInside }) => {
    const chern = lowest(mass, flux);
    expect(Math.abs(chern ?? Number.NaN)).toBe(isInside ? 1 : 0);
    expect(Math.abs(lowest(0, flux) ?? Number.NaN)).toBe(1);
  });

  it('has the sign of sin φ for either sign of M, and the Chern numbers of the two bands cancel', () => {
    const positive = lowest(0.1, Math.PI / 3);
    expect(lowest(0.1, -Math.PI / 3)).toBe(-(positive ?? 0));
    expect(lowest(-0.1, Math.PI / 3)).toBe(positive);
    const both = chernNumbers(
      createModel({ net: netById('hcb'), t2: T2, haldaneFluxRad: 1.2, onsite: [0.1, -0.1] }),
      16,
    );
    expect(both.reduce((sum, { chern }) => sum + (chern ?? Number.NaN), 0)).toBe(0);
  });

  it('the gaps at the two valleys are 2 |M ± 3√3 t₂ sin φ|', () => {
    const [mass, flux] = [0.2, 0.9];
    const solver = createBlochSolver(
      createModel({ net: netById('hcb'), t2: T2, haldaneFluxRad: flux, onsite: [mass, -mass] }),
    );
    const y = netById('hcb').latticeVectors[1][0] < 0 ? 1 / 3 : -1 / 3;
    const gaps = [1, -1].map((valley) => {
      const [low, high] = solver.energies([valley / 3, valley * y]);
      return high - low;
    });
    const border = 3 * Math.sqrt(3) * T2 * Math.sin(flux);
    expect(ascending(gaps)).toEqual(
      ascending([2 * Math.abs(mass + border), 2 * Math.abs(mass - border)]).map((gap) =>
        expect.closeTo(gap, 8),
      ),
    );
  });
});
