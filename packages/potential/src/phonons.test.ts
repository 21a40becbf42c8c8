import { readFileSync } from 'node:fs';
import { readPoscar, type Structure, supercell } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import type { Engine } from './engine.ts';
import { forceConstants, phononSupercell } from './force-constants.ts';
import { phononDensity, phononFrequencies, phononMesh, phononSolver, thermalProperties } from './phonons.ts';
import { distorted, rockSalt, silicon } from './testing/crystals.ts';
import { cubicOperationsOf } from './testing/cubic-operations.ts';
import { engine } from './testing/engines-in-node.ts';

/**
 * Results of the original code (sevenn 0.13.0, phonopy 4.10.0) for a supercell of 2 × 2 × 2 and displacements of 0.01
 * Å; the tolerance is 0.05 THz.
 */
const KNOWN: readonly [string, Structure, readonly (readonly [Vec3, readonly number[]])[]][] = [
  [
    'silicon',
    silicon(),
    [
      [
        [0, 0, 0],
        [0, 0, 0, 12.4937, 12.4937, 12.4937],
      ],
      [
        [0.5, 0.5, 0],
        [5.9396, 5.9396, 9.4002, 9.4002, 10.5746, 10.5746],
      ],
      [
        [0.5, 0.5, 0.5],
        [4.5913, 4.5913, 8.6517, 9.2725, 11.3697, 11.3697],
      ],
    ],
  ],
  [
    'sodium chloride',
    rockSalt('Na', 'Cl', 5.687623),
    [
      [
        [0, 0, 0],
        [0, 0, 0, 4.4501, 4.4501, 4.4501],
      ],
      [
        [0.5, 0.5, 0],
        [2.4972, 2.4972, 4.0789, 4.7217, 4.7217, 5.2023],
      ],
      [
        [0.5, 0.5, 0.5],
        [3.1874, 3.1874, 3.7531, 3.7531, 5.0073, 5.8305],
      ],
    ],
  ],
];

describe.each(KNOWN)('phonons of %s', (_, crystal, answers) => {
  it.each([
    ['symmetry', cubicOperationsOf(crystal)],
    ['no symmetry', []],
  ])('with %s are those of the original code', (_use, operations) => {
    const frequenciesAt = phononSolver(forceConstants(engine, crystal, [2, 2, 2], operations));
    for (const [q, expected] of answers) {
      const { frequencies } = frequenciesAt(q);
      expected.forEach((value, k) => expect(Math.abs(frequencies[k] - value)).toBeLessThan(0.02));
    }
  });
});

it('symmetry reduces silicon to one displacement', () => {
  let evaluations = 0;
  const counting: Engine = {
    evaluate(structure) {
      evaluations++;
      return engine.evaluate(structure);
    },
  };
  const crystal = silicon();
  const operations = cubicOperationsOf(crystal);
  expect(operations).toHaveLength(48);
  forceConstants(counting, crystal, [2, 2, 2], operations);
  // One evaluation of the undisplaced crystal and one of the displaced crystal.
  expect(evaluations).toBe(2);
});

it('a crystal without symmetry has sound waves and real orthonormal modes at Γ', () => {
  const crystal = distorted(rockSalt('Na', 'Cl', 5.69), 11);
  const constants = forceConstants(engine, crystal, [2, 2, 3]);
  const { frequencies, vectorsRe } = phononSolver(constants)([0, 0, 0]);
  frequencies.forEach((frequency, k) =>
    expect(phononFrequencies(constants)([0, 0, 0])[k]).toBeCloseTo(frequency, 4),
  );
  const acoustic = [...frequencies].filter((frequency) => Math.abs(frequency) < 0.02);
  expect(acoustic).toHaveLength(3);
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < 6; j++) {
      const [a, b] = [vectorsRe.subarray(6 * i, 6 * i + 6), vectorsRe.subarray(6 * j, 6 * j + 6)];
      expect(a.reduce((sum, value, k) => sum + value * b[k], 0)).toBeCloseTo(i === j ? 1 : 0, 8);
    }
});

it('the frequencies are the same for every choice of the primitive cell', () => {
  const crystal = silicon();
  const other: Structure = {
    latticeVectors: [
      crystal.latticeVectors[0],
      crystal.latticeVectors[1].map((x, k) => x + crystal.latticeVectors[0][k]) as unknown as Vec3,
      crystal.latticeVectors[2],
    ],
    sites: crystal.sites.map((site) => {
      const [x, y, z] = site.fractionalCoords;
      return { ...site, fractionalCoords: [x - y, y, z] };
    }),
  };
  const frequencies = (structure: Structure, q: Vec3): number[] => [
    ...phononSolver(forceConstants(engine, structure, [2, 2, 2]))(q).frequencies,
  ];
  const expected = frequencies(crystal, [0.13, 0.27, 0.41]);
  frequencies(other, [0.13, 0.4, 0.41]).forEach((value, k) => expect(value).toBeCloseTo(expected[k], 2));
});

it('the supercell is enlarged to 10 Å along each axis, within the limit on atoms', () => {
  expect(phononSupercell(silicon(), 500)).toEqual([4, 4, 4]);
  expect(phononSupercell(silicon(), 60)).toEqual([3, 3, 3]);
  expect(phononSupercell(supercell(silicon(), [4, 1, 1]), 500)).toEqual([1, 4, 4]);
  expect(() => phononSupercell(supercell(silicon(), [4, 4, 4]), 100)).toThrow('at most 100');
});

describe('thermodynamics', () => {
  const mesh = phononMesh(
    forceConstants(engine, silicon(), [2, 2, 2], cubicOperationsOf(silicon())),
    [6, 6, 6],
  );
  it('the density of states contains three modes for each atom', () => {
    const { frequencies, total, byAtom } = phononDensity(mesh);
    const step = frequencies[1] - frequencies[0];
    expect(total.reduce((sum, value) => sum + value, 0) * step).toBeCloseTo(6, 2);
    for (const part of byAtom) expect(part.reduce((sum, value) => sum + value, 0) * step).toBeCloseTo(3, 2);
  });

  it('entropy is minus the slope of the free energy, and the heat capacity is T times the slope of the entropy', () => {
    const [below, at, above] = thermalProperties(mesh, [299, 300, 301]);
    expect((below.freeEnergy - above.freeEnergy) / 2).toBeCloseTo(at.entropy, 8);
    expect((300 * (above.entropy - below.entropy)) / 2).toBeCloseTo(at.heatCapacity, 8);
  });

  it('an oscillator of 10 THz has the free energy, entropy and heat capacity of an Einstein oscillator', () => {
    // hν = 41.3566770 meV; x = 1.5997427 at 300 K.
    const [cold, warm] = thermalProperties({ points: 1, frequencies: Float64Array.of(10) }, [0, 300]);
    expect(cold).toEqual({
      temperature: 0,
      freeEnergy: expect.closeTo(0.0206783385, 9),
      entropy: 0,
      heatCapacity: 0,
    });
    const x = 0.041356676969 / (8.617333262e-5 * 300);
    const n = 1 / (Math.exp(x) - 1);
    expect(warm.heatCapacity / 8.617333262e-5).toBeCloseTo(x * x * n * (n + 1), 8);
    expect(warm.freeEnergy).toBeCloseTo(0.0206783385 - 0.02585199979 * Math.log(1 + n), 8);
  });
});

interface PhonopyAnswer {
  readonly id: string;
  readonly answer: {
    readonly frequencies_THz: Readonly<Record<string, readonly number[]>>;
    readonly thermal_per_primitive_cell: readonly {
      readonly T_K: number;
      readonly F_kJ_mol: number;
      readonly S_J_K_mol: number;
      readonly Cv_J_K_mol: number;
    }[];
  };
}

it.runIf(hasSharedData)(
  'forces of a published run give the frequencies and thermodynamics of phonopy',
  () => {
    const folder = sharedPath('datasets', 'phonons');
    const text = (...path: string[]): string =>
      readFileSync(sharedPath('datasets', 'phonons', ...path), 'utf8');
    const conventional = readPoscar(text('si', 'POSCAR')).structure;
    const [, , , , , ...rows] = text('si', 'FORCE_SETS').split('\n');
    const forces = rows.slice(0, 64).map((row) => row.trim().split(/\s+/).map(Number));
    // phonopy lists all images of an atom together, with the first axis fastest.
    const phonopy: Engine = {
      evaluate: ({ sites }) => ({
        energy: 0,
        energies: new Float64Array(sites.length),
        forces: Float64Array.from(
          sites.flatMap((_, index) => {
            const [cell, atom] = [Math.floor(index / 8), index % 8];
            const [x, y, z] = [cell >> 2, (cell >> 1) & 1, cell & 1];
            return isDisplaced ? forces[8 * atom + x + 2 * y + 4 * z] : [0, 0, 0];
          }),
        ),
        stress: [0, 0, 0, 0, 0, 0],
      }),
    };
    let isDisplaced = false;
    const engineOfRun: Engine = {
      evaluate(structure) {
        const evaluation = phonopy.evaluate(structure);
        isDisplaced = true;
        return evaluation;
      },
    };
    const operations = cubicOperationsOf(conventional);
    expect(operations).toHaveLength(192);
    const solve = phononSolver(forceConstants(engineOfRun, conventional, [2, 2, 2], operations));
    const { answer } = (
      JSON.parse(readFileSync(`${folder}/index.json`, 'utf8')) as readonly PhonopyAnswer[]
    ).find(({ id }) => id === 'si') as PhonopyAnswer;
    // Converts wave vectors of the primitive cell (0 ½ ½, ½ 0 ½, ½ ½ 0) to the axes of the conventional cell, where the
    // bands are folded.
    const folded = ([x, y, z]: Vec3): Vec3 => [y + z - x, x + z - y, x + y - z];
    for (const [label, expected] of Object.entries(answer.frequencies_THz)) {
      const q = JSON.parse(/\[.*\]/.exec(label)?.[0] ?? '') as Vec3;
      const found = [...solve(folded(q)).frequencies];
      for (const value of expected)
        expect(Math.min(...found.map((frequency) => Math.abs(frequency - value)))).toBeLessThan(1e-3);
    }
    const frequencies: number[] = [];
    for (let x = 0; x < 14; x++)
      for (let y = 0; y < 14; y++)
        for (let z = 0; z < 14; z++)
          frequencies.push(...solve(folded([(x + 0.5) / 14, (y + 0.5) / 14, (z + 0.5) / 14])).frequencies);
    const points = 4 * 14 ** 3;
    const perMole = 96.48533212;
    for (const { T_K, F_kJ_mol, S_J_K_mol, Cv_J_K_mol } of answer.thermal_per_primitive_cell) {
      const [at] = thermalProperties({ points, frequencies: Float64Array.from(frequencies) }, [T_K]);
      expect(at.freeEnergy * perMole).toBeCloseTo(F_kJ_mol, 2);
      expect(at.entropy * perMole * 1000).toBeCloseTo(S_J_K_mol, 2);
      expect(at.heatCapacity * perMole * 1000).toBeCloseTo(Cv_J_K_mol, 2);
    }
  },
);
