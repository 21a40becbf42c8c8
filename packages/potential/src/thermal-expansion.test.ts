import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Structure } from '@unitcell/crystal';
import { hermitianEigenvalues, norm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import type { Engine } from './engine.ts';
import { thermalProperties } from './phonons.ts';
import { copper } from './testing/crystals.ts';
import { thermalExpansion, type VolumeState, volumeStates } from './thermal-expansion.ts';

const TEMPERATURES = [0, 100, 300, 600];
const GPA = 160.2176634;

/** The root of an increasing function. */
function rootOf(f: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let k = 0; k < 60; k++) {
    const middle = (a + b) / 2;
    if (f(middle) < 0) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

describe('an Einstein crystal whose frequency is a power of the volume', () => {
  const [volume0, bulk, derivative, gamma, frequency0] = [20, 1, 4.5, 2, 6];
  const energy = (volume: number): number => {
    const t = (volume0 / volume) ** (2 / 3) - 1;
    return (9 / 8) * volume0 * bulk * (t * t + ((derivative - 4) * t ** 3) / 2);
  };
  const vibrations = (volume: number, temperatures: readonly number[]) =>
    thermalProperties(
      { points: 1, frequencies: new Float64Array(3).fill(frequency0 * (volume0 / volume) ** gamma) },
      temperatures,
    );
  const statesAt = (ratios: readonly number[]): VolumeState[] =>
    ratios.map((ratio) => {
      const volume = ratio * volume0;
      return { volume, energy: energy(volume), thermal: vibrations(volume, TEMPERATURES) };
    });
  const rows = thermalExpansion(statesAt([0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03, 1.04, 1.05]));

  it('has the volume of the Mie–Grüneisen equation at each temperature', () => {
    expect(rows.map(({ temperature }) => temperature)).toEqual(TEMPERATURES);
    for (const { temperature, volume } of rows) {
      // E′(V) = γ U(V, T) / V, where U = F + T S is the energy of the vibrations.
      const pull = (v: number): number => {
        const [{ freeEnergy, entropy }] = vibrations(v, [temperature]);
        const slope = (energy(v + 1e-4) - energy(v - 1e-4)) / 2e-4;
        return slope - (gamma * (freeEnergy + temperature * entropy)) / v;
      };
      expect(volume / rootOf(pull, 0.97 * volume0, 1.05 * volume0)).toBeCloseTo(1, 5);
    }
  });

  it('expands by γ C_V / (B V), but not at 0 K', () => {
    for (const row of rows) {
      const [{ heatCapacity }] = vibrations(row.volume, [row.temperature]);
      const expected = (gamma * heatCapacity) / ((row.bulkModulus / GPA) * row.volume);
      expect(row.expansion * 1e6).toBeCloseTo(expected * 1e6, 1);
      // C_P / C_V = 1 + α γ T.
      expect(row.heatCapacity).toBeCloseTo(heatCapacity * (1 + row.expansion * gamma * row.temperature), 7);
    }
    expect(rows[0].expansion).toBeCloseTo(0, 15);
    expect(rows[0].gruneisen).toBeNull();
    for (const { gruneisen } of rows.slice(1)) expect(gruneisen).toBeCloseTo(gamma, 2);
  });

  it('is computed only up to the largest given volume', () => {
    const near = thermalExpansion(statesAt([0.98, 0.99, 1, 1.005, 1.01]));
    expect(near.map(({ temperature }) => temperature)).toEqual([0, 100, 300].slice(0, near.length));
    expect(near.length).toBeGreaterThan(0);
    expect(() => thermalExpansion(statesAt([0.94, 0.95, 0.96, 0.97]))).toThrow('no minimum');
  });
});

describe('a face-centred cubic crystal with Morse springs between nearest neighbours', () => {
  const [depth, steepness, rest] = [0.35, 2.3, 2.55];
  const first = (r: number): number => {
    const decay = Math.exp(-steepness * (r - rest));
    return 2 * depth * steepness * (decay - decay * decay);
  };
  const second = (r: number): number => {
    const decay = Math.exp(-steepness * (r - rest));
    return 2 * depth * steepness * steepness * (2 * decay * decay - decay);
  };
  const pair = (r: number): number => depth * (1 - Math.exp(-steepness * (r - rest))) ** 2;
  const shifts = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Vec3 => [x, y, z])));

  const springs: Engine = {
    evaluate({ latticeVectors, sites }) {
      const energies = new Float64Array(sites.length);
      const forces = new Float64Array(3 * sites.length);
      sites.forEach(({ fractionalCoords: from }, i) =>
        sites.forEach(({ fractionalCoords: to }) => {
          const apart = to.map((value, k) => value - from[k]);
          const wrapped = apart.map((value) => value - Math.round(value));
          for (const shift of shifts) {
            const vector = rowTimesMatrix3(
              wrapped.map((value, k) => value + shift[k]) as unknown as Vec3,
              latticeVectors,
            );
            const r = norm3(vector);
            if (r < 0.1 || r > 1.2 * rest) continue;
            energies[i] += pair(r) / 2;
            vector.forEach((value, k) => {
              forces[3 * i + k] += (first(r) * value) / r;
            });
          }
        }),
      );
      return {
        energy: energies.reduce((sum, value) => sum + value, 0),
        energies,
        forces,
        stress: [0, 0, 0, 0, 0, 0],
      };
    },
  };
  const crystal: Structure = copper(rest * Math.SQRT2);
  const directions = [1, -1].flatMap((a) =>
    [1, -1].flatMap((b): Vec3[] => [
      [0, a, b],
      [a, 0, b],
      [a, b, 0],
    ]),
  );

  /** mω² at a wave vector in units of 2π/a: eigenvalues of Σ ((φ″ − φ′/r) n ⊗ n + φ′/r) (1 − cos q·R). */
  function stiffness(r: number, q: Vec3): Float64Array {
    const matrix = new Float64Array(9);
    const tension = first(r) / r;
    for (const n of directions) {
      const weight = 1 - Math.cos(Math.PI * (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]));
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++)
          matrix[3 * a + b] += weight * (((second(r) - tension) * n[a] * n[b]) / 2 + (a === b ? tension : 0));
    }
    return Float64Array.from(hermitianEigenvalues(matrix, new Float64Array(9), 3));
  }
  const toThz = (square: number): number => 15.633302 * Math.sqrt(square / 63.546);

  it('expands as predicted by its exact free energy', () => {
    const mesh = [3, 3, 3] as const;
    const points = [0, 1, 2].flatMap((x) =>
      [0, 1, 2].flatMap((y) =>
        [0, 1, 2].map((z): Vec3 => {
          // Converts shares of the reciprocal vectors to units of 2π/a.
          const [u, v, w] = [(x + 0.5) / 3, (y + 0.5) / 3, (z + 0.5) / 3];
          return [v + w - u, u + w - v, u + v - w];
        }),
      ),
    );
    const exact = (volume: number, temperature: number): number => {
      const r = Math.cbrt(volume * Math.SQRT2);
      const frequencies = Float64Array.from(points.flatMap((q) => [...stiffness(r, q)].map(toThz)));
      const [{ freeEnergy }] = thermalProperties({ points: points.length, frequencies }, [temperature]);
      return 6 * pair(r) + freeEnergy;
    };
    const volume0 = rest ** 3 / Math.SQRT2;
    const volumeAt = (temperature: number): number =>
      rootOf(
        (v) => exact(v + 1e-3, temperature) - exact(v - 1e-3, temperature),
        0.98 * volume0,
        1.06 * volume0,
      );
    const ratios = [0.98, 0.99, 1, 1.01, 1.02, 1.03, 1.04];
    const states = volumeStates(springs, crystal, {
      repeats: [2, 2, 2],
      mesh,
      temperatures: [0, 300],
      ratios,
    });
    const [cold, warm] = thermalExpansion(states);
    expect(cold.volume / volumeAt(0)).toBeCloseTo(1, 4);
    expect(warm.volume / volumeAt(300)).toBeCloseTo(1, 4);
    const slope = (volumeAt(310) - volumeAt(290)) / (20 * volumeAt(300));
    expect(warm.expansion / slope).toBeCloseTo(1, 2);
  });

  it('gives no states at volumes at which a mode is imaginary', () => {
    const options = { repeats: [2, 2, 2], mesh: [1, 1, 8], temperatures: [0] } as const;
    // The springs become unstable beyond their inflection point, which is at 1.4 times the volume.
    expect(volumeStates(springs, crystal, { ...options, ratios: [1, 1.05, 1.6] })).toHaveLength(2);
    // On a simple cubic lattice, compressed springs make it unstable against shear.
    const simple: Structure = {
      latticeVectors: [
        [rest, 0, 0],
        [0, rest, 0],
        [0, 0, rest],
      ],
      sites: crystal.sites,
    };
    expect(() => volumeStates(springs, simple, { ...options, ratios: [0.9] })).toThrow(
      expect.objectContaining({ code: 'imaginary-modes' }),
    );
  });
});

it.runIf(hasSharedData)('aluminium from a published calculation expands as in phonopy', () => {
  const read = (file: string) => readFileSync(sharedPath('datasets', 'phonons', file));
  const { answer } = (
    JSON.parse(read('index.json').toString()) as readonly {
      readonly id: string;
      readonly answer: Readonly<Record<string, Readonly<Record<string, number>>>> & {
        readonly files_in_order_of_volume: readonly string[];
      };
    }[]
  ).find(({ id }) => id === 'al-qha')!;
  const energies = read('al-qha/e-v.dat')
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const perMole = 96.48533212;
  const states = answer.files_in_order_of_volume.map((file, index): VolumeState => {
    const text = gunzipSync(read(`al-qha/${file}`)).toString();
    const entries = [
      ...text.matchAll(
        /temperature:\s*([\d.]+)\s+free_energy:\s*(\S+)\s+entropy:\s*(\S+)\s+heat_capacity:\s*(\S+)/g,
      ),
    ];
    return {
      volume: energies[index][0],
      energy: energies[index][1],
      thermal: entries
        .map(([, ...values]) => values.map(Number))
        .map(([temperature, freeEnergy, entropy, heatCapacity]) => ({
          temperature,
          freeEnergy: freeEnergy / perMole,
          entropy: entropy / perMole / 1000,
          heatCapacity: heatCapacity / perMole / 1000,
        })),
    };
  });
  const rows = thermalExpansion(states);
  const at = (wanted: string) => rows.find(({ temperature }) => temperature === Number(wanted))!;
  // phonopy fits the Vinet equation and uses differences between temperatures.
  const worst = (quantity: string, valueAt: (row: ReturnType<typeof at>) => number): number =>
    Math.max(
      ...Object.entries(answer[quantity]).map(([wanted, value]) => Math.abs(valueAt(at(wanted)) / value - 1)),
    );
  expect(worst('volume_A3', ({ volume }) => volume)).toBeLessThan(3e-4);
  expect(worst('bulk_modulus_GPa', ({ bulkModulus }) => bulkModulus)).toBeLessThan(5e-3);
  const expansions = 'volumetric_thermal_expansion_1e6_per_K';
  expect(worst(expansions, ({ expansion }) => 1e6 * expansion)).toBeLessThan(5e-3);
  expect(worst('Cp_J_K_mol', ({ heatCapacity }) => 1000 * perMole * heatCapacity)).toBeLessThan(1e-3);
});
