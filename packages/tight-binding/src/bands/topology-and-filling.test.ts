import { cross3, dot3, norm3, subtract3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { netById } from '../net.ts';
import { rowTimesMatrix2 } from '../periodic-graph.ts';
import { bandsOfModel } from './band-structure.ts';
import { blochState, createBlochSolver, diracPoints } from './bloch-solver.ts';
import { chernNumbers } from './chern-number.ts';
import { densityOfStates, energyGrid, fermiLevel, integratedStates } from './density-of-states.ts';
import { compactLocalisedState, flatBandLevels } from './flat-bands.ts';
import { kPathCorners } from './k-path.ts';
import { createModel, type TightBindingModel, toModelJson, toPythTbScript } from './model.ts';

const haldane = (mass: number) =>
  createModel({ net: netById('hcb'), t1: -1, t2: 0.1, haldaneFluxRad: Math.PI / 2, onsite: [mass, -mass] });

describe('chernNumbers', () => {
  it.each([0, 0.3, 0.5])('Haldane model on the honeycomb, M = %f < 3√3 t2 = 0.5196, has |C| = 1', (mass) => {
    const [lower, upper] = chernNumbers(haldane(mass)).map(({ chern }) => chern!);
    expect(Math.abs(lower)).toBe(1);
    expect(lower + upper).toBe(0);
  });

  it('Haldane model, M = 0.55 beyond the transition, has C = 0', () => {
    expect(chernNumbers(haldane(0.55)).map(({ chern }) => chern)).toEqual([0, 0]);
  });

  it('gives the lower band minus the degree of k → d(k) in H = d₀ + d·σ, with the sign of the Berry curvature', () => {
    // M. V. Berry, Proc. R. Soc. A 392 (1984) 45: half the solid angle that d covers, for the upper state, with A =
    // ⟨u|∂u⟩.
    for (const model of [haldane(0), haldane(0.3), haldane(-0.4)]) {
      const direction = (kx: number, ky: number): Vec3 => {
        const d: [number, number, number] = [0, 0, (model.onsite[0] - model.onsite[1]) / 2];
        for (const { from, to, dx, dy, re, im } of model.hoppings) {
          const phase = 2 * Math.PI * (kx * dx + ky * dy);
          const [cos, sin] = [Math.cos(phase), Math.sin(phase)];
          const [x, y] = [re * cos - im * sin, re * sin + im * cos];
          // H01 = d_x − i d_y. A hopping from a site to the same site counts together with its conjugate.
          if (from === to) d[2] += from === 0 ? x : -x;
          else {
            d[0] += x;
            d[1] += from === 0 ? -y : y;
          }
        }
        return d;
      };
      const [n, h] = [120, 1e-4];
      let sum = 0;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const [kx, ky] = [(i + 0.5) / n, (j + 0.5) / n];
          const d = direction(kx, ky);
          const alongX = subtract3(direction(kx + h, ky), direction(kx - h, ky));
          const alongY = subtract3(direction(kx, ky + h), direction(kx, ky - h));
          sum += dot3(d, cross3(alongX, alongY)) / (4 * h * h * norm3(d) ** 3);
        }
      const degree = sum / (n * n * 4 * Math.PI);
      expect(Math.abs(degree)).toBeCloseTo(1, 2);
      expect(chernNumbers(model)[0].chern).toBe(-Math.round(degree));
    }
  });

  it('reversing the flux reverses the sign', () => {
    const net = netById('hcb');
    const of = (haldaneFluxRad: number) =>
      chernNumbers(createModel({ net, t2: 0.1, haldaneFluxRad }))[0].chern!;
    expect(of(-1)).toBe(-of(1));
    expect(Math.abs(of(1))).toBe(1);
  });

  it('kagome with an imaginary nearest-neighbour part of 0.1 around its triangles has C = ±(1, 0, −1)', () => {
    const plain = createModel({ net: netById('kgm'), t1: -1 });
    const { positions, latticeVectors, edges } = plain.net;
    // Counter-clockwise around the centre of a triangle; the third site determines the direction.
    const sense = (index: number) => {
      const [i, j, dx, dy] = edges[index];
      const third = [0, 1, 2].find((site) => site !== i && site !== j)!;
      const [from, to] = [positions[i], [positions[j][0] + dx, positions[j][1] + dy] as const];
      for (let x = -2; x <= 2; x++)
        for (let y = -2; y <= 2; y++) {
          const p = [positions[third][0] + x, positions[third][1] + y] as const;
          const a = rowTimesMatrix2([to[0] - from[0], to[1] - from[1]], latticeVectors);
          const b = rowTimesMatrix2([p[0] - from[0], p[1] - from[1]], latticeVectors);
          if (Math.abs(Math.hypot(...b) - 1) < 1e-3 && Math.abs(a[0] * b[0] + a[1] * b[1] - 0.5) < 1e-3)
            return Math.sign(a[0] * b[1] - a[1] * b[0]);
        }
      throw new Error('no triangle at this edge');
    };
    const model: TightBindingModel = {
      ...plain,
      hoppings: plain.hoppings.map((hopping, index) => ({ ...hopping, im: 0.1 * sense(index) })),
    };
    const numbers = chernNumbers(model).map(({ chern }) => chern!);
    expect(numbers.map(Math.abs)).toEqual([1, 0, 1]);
    expect(numbers[0] + numbers[2]).toBe(0);
  });

  it('bands that touch get no Chern number', () => {
    expect(chernNumbers(createModel({ net: netById('kgm') })).map(({ chern }) => chern)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('finds the touching of the two upper Haldane bands between grid points', () => {
    // At M = 3√3 t2 the gap closes at one K (a third of a reciprocal vector), which is not on a grid of 16
    // divisions.
    const critical = chernNumbers(haldane(3 * Math.sqrt(3) * 0.1), 16);
    expect(critical.map(({ chern }) => chern)).toEqual([undefined, undefined]);
    expect(critical[0].gapAbove).toBeLessThan(1e-6);
  });

  it('finds the smallest gap between separate bands also between grid points: 2 |M − 3√3 t2| at K', () => {
    const [{ directGap }] = chernNumbers(haldane(0.5), 16);
    expect(directGap).toBeCloseTo(2 * (3 * Math.sqrt(3) * 0.1 - 0.5), 8);
  });

  it('counts bands as isolated from a distance of 1e-4 on: honeycomb with energies ±m on the two sites, gap 2m', () => {
    const numbersAt = (m: number) =>
      chernNumbers(createModel({ net: netById('hcb'), onsite: [m, -m] })).map(({ chern }) => chern);
    expect(numbersAt(0.55e-4)).toEqual([0, 0]);
    expect(numbersAt(0.45e-4)).toEqual([undefined, undefined]);
  });

  it('finds the smallest gap between bands with two valleys: a grid four times as fine finds no smaller one', () => {
    const net = netById('mcm');
    const onsite = [-0.6, 0, -0.9, -0.7, 0.7, -0.7];
    const model = createModel({ net, t2: 0.18, haldaneFluxRad: 0.5, onsite });
    const { energies, bandCount } = energyGrid(model, 96);
    const numbers = chernNumbers(model, 24);
    for (const { band, gapAbove } of numbers.slice(0, -1)) {
      let lowest = Number.POSITIVE_INFINITY;
      for (let place = band; place < energies.length; place += bandCount)
        lowest = Math.min(lowest, energies[place + 1] - energies[place]);
      expect(gapAbove).toBeLessThanOrEqual(lowest + 1e-9);
    }
  });

  it('gives no band of tfr (60 sites) a Chern number other than 0 without flux', () => {
    const numbers = chernNumbers(createModel({ net: netById('tfr'), t1: -1, t2: -1 }), 6);
    expect(numbers.filter(({ chern }) => chern !== undefined && chern !== 0)).toEqual([]);
  });

  it('is zero for every isolated band without flux (time reversal)', () => {
    for (const id of ['lieb', 'cpa', 'mcm', 'fes'])
      for (const { chern } of chernNumbers(createModel({ net: netById(id), t2: 0.2 }), 12))
        expect(chern ?? 0).toBe(0);
  });
});

describe('densityOfStates', () => {
  it.each(['sql', 'kgm', 'lieb', 'mcm'])('%s: integrates to the number of bands', (id) => {
    const grid = energyGrid(createModel({ net: netById(id) }), 24);
    const { density, energies, integrated } = densityOfStates(grid, 200);
    const width = energies[1] - energies[0];
    expect(density.reduce((sum, g) => sum + g * width, 0)).toBeCloseTo(grid.bandCount, 9);
    expect(integrated.at(-1)).toBeCloseTo(grid.bandCount, 9);
    expect(integratedStates(grid, energies[77] + width / 2)).toBeCloseTo(integrated[77], 9);
  });

  it('square lattice: symmetric, peak (van Hove) at 0, steps of 1/4π at the edges', () => {
    const { density, energies } = densityOfStates(energyGrid(createModel({ net: netById('sql') }), 200), 81);
    const peak = density.indexOf(Math.max(...density));
    expect(energies[peak]).toBeCloseTo(0, 9);
    // The first bin is mostly in the margin below −4.
    expect(density[1]).toBeCloseTo(1 / (4 * Math.PI), 2);
    density.forEach((g, bin) => expect(g).toBeCloseTo(density[density.length - 1 - bin], 2));
  });

  it('kagome: the flat band is one full state in a single bin', () => {
    const { integrated } = densityOfStates(energyGrid(createModel({ net: netById('kgm') }), 40), 300);
    const steps = integrated.map((n, bin) => n - (integrated[bin - 1] ?? 0));
    expect(Math.max(...steps)).toBeGreaterThan(0.999);
  });
});

describe('the energy range of the density of states', () => {
  it('is that of the bands, −4 to 4 for the square lattice, with a margin of at most a fiftieth of their width', () => {
    const { energies } = densityOfStates(energyGrid(createModel({ net: netById('sql') }), 24), 200);
    const width = energies[1] - energies[0];
    const [low, high] = [energies[0] - width / 2, energies[199] + width / 2];
    expect([low < -4, high > 4]).toEqual([true, true]);
    expect(high - low).toBeLessThan(8 * 1.021);
  });

  it('has a margin of a few thousandths of the hopping for a single level', () => {
    const grid = energyGrid(createModel({ net: netById('sql'), t1: 0, onsite: [0.7] }), 4);
    const { energies, integrated } = densityOfStates(grid, 5);
    expect(energies[2]).toBeCloseTo(0.7, 9);
    expect(energies[4] - energies[0]).toBeLessThan(5e-3);
    [0, 0, 1, 1, 1].forEach((states, bin) => expect(integrated[bin]).toBeCloseTo(states, 9));
  });

  it('the integrated count at an energy includes states at exactly this energy, such as those of a flat band', () => {
    const grid = energyGrid(createModel({ net: netById('sql'), t1: 0, onsite: [0.7] }), 4);
    expect([0.7 - 1e-9, 0.7, 0.7 + 1e-9].map((energy) => integratedStates(grid, energy))).toEqual([0, 1, 1]);
  });
});

describe('fermiLevel', () => {
  it('honeycomb: touching bands have no gap despite rounding; energies ±m open a gap 2m, however small', () => {
    const gapOf = (m: number) =>
      fermiLevel(energyGrid(createModel({ net: netById('hcb'), onsite: [m, -m] }), 30), 1).gap;
    // The grid contains K, where the bands of graphene touch.
    expect(gapOf(0)).toBe(0);
    for (const m of [1e-6, 1e-4, 0.1]) expect(gapOf(m) / (2 * m)).toBeCloseTo(1, 6);
  });

  it('is 0 for half filling of a bipartite net', () => {
    for (const id of ['sql', 'hcb', 'lieb']) {
      const grid = energyGrid(createModel({ net: netById(id) }), 30);
      expect(fermiLevel(grid, grid.bandCount / 2).energy).toBeCloseTo(0, 6);
    }
  });

  it('is in the middle of a gap and returned with the width of the gap', () => {
    const grid = energyGrid(createModel({ net: netById('hcb'), onsite: [0.5, -0.5] }), 30);
    const { energy, gap } = fermiLevel(grid, 1);
    expect(energy).toBeCloseTo(0, 9);
    expect(gap).toBeCloseTo(1, 9);
  });

  it('has as many states below it as requested', () => {
    const grid = energyGrid(createModel({ net: netById('cpa'), t2: 0.15 }), 30);
    for (const filling of [0.2, 1.7, 3.3])
      expect(integratedStates(grid, fermiLevel(grid, filling).energy)).toBeCloseTo(filling, 6);
  });

  it('refuses a filling above the number of states', () => {
    const grid = energyGrid(createModel({ net: netById('sql') }), 4);
    expect(() => fermiLevel(grid, 2)).toThrow(/filling is 2/);
  });
});

describe('compactLocalisedState', () => {
  it.each([
    ['kgm', -2, 6],
    ['lieb', 0, 4],
    ['dice', 0, 6],
  ] as const)('%s at %d: the smallest localised state has %d sites', (id, energy, count) => {
    expect(compactLocalisedState(createModel({ net: netById(id), t1: 1 }), energy)!.amplitudes).toHaveLength(
      count,
    );
  });

  it('is an eigenstate of the infinite lattice, for every flat band of small nets', () => {
    for (const id of [
      'kgm',
      'lieb',
      'kgd',
      'hca',
      'dha',
      'superhoneycomb',
      'subdivided-kagome',
      'checkboard',
    ]) {
      const model = createModel({ net: netById(id), t1: 1 });
      for (const { energy } of flatBandLevels(model)) {
        const state = compactLocalisedState(model, energy)!;
        const value = new Map(
          state.amplitudes.map(({ site, dx, dy, amplitude }) => [`${site},${dx},${dy}`, amplitude]),
        );
        const image = new Map<string, number>();
        const add = (key: string, x: number) => image.set(key, (image.get(key) ?? 0) + x);
        for (const { site, dx, dy, amplitude } of state.amplitudes)
          for (const hop of model.hoppings) {
            if (hop.to === site) add(`${hop.from},${dx - hop.dx},${dy - hop.dy}`, hop.re * amplitude);
            if (hop.from === site) add(`${hop.to},${dx + hop.dx},${dy + hop.dy}`, hop.re * amplitude);
          }
        for (const key of new Set([...image.keys(), ...value.keys()]))
          expect(image.get(key) ?? 0, `${id} ${energy}`).toBeCloseTo(energy * (value.get(key) ?? 0), 8);
      }
    }
  });

  it('has a largest amplitude of 1, even if the sites differ', () => {
    for (const [t1, t2] of [
      [1, 0],
      [-0.7, 0],
    ] as const)
      for (const id of ['kgm', 'lieb', 'dice', 'checkboard', 'subdivided-kagome', 'subdivided-triangular']) {
        const model = createModel({ net: netById(id), t1, t2 });
        for (const { energy } of flatBandLevels(model)) {
          const sizes = compactLocalisedState(model, energy)!.amplitudes.map(({ amplitude }) =>
            Math.abs(amplitude),
          );
          expect(Math.max(...sizes)).toBeCloseTo(1, 12);
        }
      }
  });

  it('a band with a width of a millionth of the hopping is not flat', () => {
    // Lieb lattice with a different energy on every site: the two edge sites differ, so the band at 0 is no longer
    // flat.
    const flatAt = (energy: number) =>
      flatBandLevels(createModel({ net: netById('lieb'), t1: 1, onsite: [energy, 0, -energy] }));
    expect(flatAt(0)).toEqual([{ energy: 0, multiplicity: 1 }]);
    expect(flatAt(1e-6)).toEqual([]);
  });

  it('returns undefined if no band is flat', () => {
    expect(compactLocalisedState(createModel({ net: netById('hcb'), t1: 1 }), 0)).toBeUndefined();
  });
});

describe('blochState', () => {
  it('fulfils H u = E u, is normalised, and has a real largest amplitude', () => {
    const model = createModel({ net: netById('mcm'), t2: 0.3, onsite: [0.2, -0.1] });
    const k = [0.17, 0.29] as const;
    const state = blochState(model, 2, k);
    expect(state.amplitudes.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 10);
    const image = state.amplitudes.map(({ re, im }, site) => [
      model.onsite[site] * re,
      model.onsite[site] * im,
    ]);
    for (const { from, to, dx, dy, re } of model.hoppings) {
      const phase = 2 * Math.PI * (k[0] * dx + k[1] * dy);
      const [c, s] = [re * Math.cos(phase), re * Math.sin(phase)];
      const [a, b] = [state.amplitudes[to], state.amplitudes[from]];
      image[from][0] += c * a.re - s * a.im;
      image[from][1] += c * a.im + s * a.re;
      image[to][0] += c * b.re + s * b.im;
      image[to][1] += c * b.im - s * b.re;
    }
    state.amplitudes.forEach(({ re, im }, site) => {
      expect(image[site][0]).toBeCloseTo(state.energy * re, 10);
      expect(image[site][1]).toBeCloseTo(state.energy * im, 10);
    });
  });

  it('refuses a band that does not exist', () => {
    expect(() => blochState(createModel({ net: netById('sql') }), 1, [0, 0])).toThrow(/bands 0 to 0/);
  });
});

describe('diracPoints', () => {
  it('honeycomb and kagome have a Dirac point at K, the square and triangular lattices have none', () => {
    expect(diracPoints(createModel({ net: netById('hcb') })).map(({ label }) => label)).toEqual(['K']);
    expect(
      diracPoints(createModel({ net: netById('kgm') })).map(({ label, energy }) => [
        label,
        Math.round(energy * 1e6) / 1e6,
      ]),
    ).toEqual([['K', -1]]);
    for (const id of ['sql', 'hxl', 'lieb'])
      expect(diracPoints(createModel({ net: netById(id) }))).toEqual([]);
  });

  it('excludes bands that a glide makes coincide along X–M, and quadratic touchings at Γ', () => {
    for (const id of ['esq', 'tts']) {
      const model = createModel({ net: netById(id) });
      expect(model.net.planeGroup).toBe('p4gm');
      expect(diracPoints(model).map(({ label }) => label)).toEqual([]);
    }
  });
});

describe('exports', () => {
  const model = createModel({ net: netById('kgm'), t2: -0.1 });
  it('the same bands can be rebuilt from the JSON model', () => {
    const json = JSON.parse(toModelJson(model)) as {
      hoppings: TightBindingModel['hoppings'];
      sites: { onsite: number }[];
    };
    const rebuilt: TightBindingModel = {
      net: model.net,
      onsite: json.sites.map(({ onsite }) => onsite),
      hoppings: json.hoppings,
    };
    const [a, b] = [bandsOfModel(model, 30).bands, bandsOfModel(rebuilt, 30).bands];
    a.forEach((band, n) => band.forEach((energy, p) => expect(b[n][p]).toBeCloseTo(energy, 10)));
  });

  it('reversed hoppings are conjugated', () => {
    const flux = haldane(0.2);
    const json = JSON.parse(toModelJson(flux)) as { hoppings: TightBindingModel['hoppings'] };
    const again = createBlochSolver({ ...flux, hoppings: json.hoppings })
      .energies([0.11, 0.23])
      .slice();
    createBlochSolver(flux)
      .energies([0.11, 0.23])
      .forEach((energy, band) => expect(again[band]).toBeCloseTo(energy, 10));
  });

  it('the PythTB script sets every site and bond once', () => {
    const script = toPythTbScript(model, kPathCorners(model.net.planeGroup, model.net.latticeVectors));
    expect(script.match(/model\.set_hop\(/g)).toHaveLength(model.hoppings.length);
    expect(script).toContain('model = tb_model(2, 2, lattice, orbitals)');
    expect(script).toContain(String.raw`labels = [r"$\Gamma$", "M", "K", r"$\Gamma$"]`);
  });
});
