import { readFileSync } from 'node:fs';
import { elementBySymbol } from '@unitcell/elements';
import { orderedSite, readPoscar, type Structure, supercell } from '@unitcell/crystal';
import { add3, dot3, inverse3, norm3, rowTimesMatrix3, scale3, type Vec3 } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import type { Engine } from './engine.ts';
import { forceConstants, phononSupercell } from './force-constants.ts';
import {
  modeMotions,
  phononDensity,
  phononFrequencies,
  phononMesh,
  phononSolver,
  thermalProperties,
} from './phonons.ts';
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

/** A cubic perovskite, which lowers its energy by tilting its octahedra. */
const PEROVSKITE: Structure = {
  latticeVectors: [
    [6.28, 0, 0],
    [0, 6.28, 0],
    [0, 0, 6.28],
  ],
  sites: [
    orderedSite('Cs', [0, 0, 0]),
    orderedSite('Sn', [0.5, 0.5, 0.5]),
    orderedSite('I', [0.5, 0.5, 0]),
    orderedSite('I', [0.5, 0, 0.5]),
    orderedSite('I', [0, 0.5, 0.5]),
  ],
};

describe.each([
  ...KNOWN.map(([name, crystal, answers]) => [name, crystal, answers.map(([q]) => q)] as const),
  ['a perovskite', PEROVSKITE, [[0.5, 0.5, 0] as Vec3]] as const,
])('the motion of the atoms in the modes of %s', (_, crystal, waves) => {
  const motionsAt = modeMotions(forceConstants(engine, crystal, [2, 2, 2], cubicOperationsOf(crystal)));
  const masses = crystal.sites.map(({ species }) => elementBySymbol(species[0].element).atomicMass);
  /** Σ m a* b over all atoms of the cell; the imaginary part is 0 for i = j and must vanish for i ≠ j. */
  const product = (a: readonly number[][], b: readonly number[][]): readonly [number, number] => {
    let [re, im] = [0, 0];
    a.forEach((parts, atom) => {
      for (const axis of [0, 1, 2]) {
        const other = b[atom];
        re += masses[atom] * (parts[axis] * other[axis] + parts[axis + 3] * other[axis + 3]);
        im += masses[atom] * (parts[axis] * other[axis + 3] - parts[axis + 3] * other[axis]);
      }
    });
    return [re, im];
  };

  it('is orthogonal with the masses as weights, also at a wave vector of no symmetry', () => {
    for (const q of [...waves, [0.13, 0.27, 0.41] as Vec3]) {
      const { displacements } = motionsAt(q);
      displacements.forEach((a, i) => {
        expect(Math.max(...a.map((parts) => Math.hypot(...parts)))).toBeCloseTo(1, 4);
        displacements.forEach((b, j) => {
          if (i === j) return;
          const size = Math.sqrt(product(a, a)[0] * product(b, b)[0]);
          expect(Math.hypot(...product(a, b)) / size).toBeLessThan(1e-4);
        });
      });
    }
  });

  it('moves all atoms alike in the three sound waves at Γ', () => {
    const { frequencies, displacements } = motionsAt([0, 0, 0]);
    const sound = displacements.filter((__, mode) => Math.abs(frequencies[mode]) < 0.02);
    expect(sound).toHaveLength(3);
    for (const atoms of sound)
      for (const parts of atoms) parts.forEach((part, k) => expect(part).toBeCloseTo(atoms[0][k], 2));
  });

  it('changes the energy as the square of the frequency predicts', () => {
    const large = supercell(crystal, [2, 2, 2]);
    const back = inverse3(large.latticeVectors);
    const atoms = crystal.sites.length;
    const AMPLITUDE = 0.01;
    for (const q of waves) {
      const { frequencies, displacements } = motionsAt(q);
      const first = frequencies.findIndex((frequency) => Math.abs(frequency) > 0.1);
      for (const mode of [first, frequencies.length - 1]) {
        const raw = large.sites.map((_site, index): Vec3 => {
          const cell = Math.floor(index / atoms);
          const angle = 2 * Math.PI * dot3(q, [cell >> 2, (cell >> 1) & 1, cell & 1]);
          const parts = displacements[mode][index % atoms];
          const along = (axis: number): number =>
            parts[axis] * Math.cos(angle) - parts[axis + 3] * Math.sin(angle);
          return [along(0), along(1), along(2)];
        });
        const scale = AMPLITUDE / Math.max(...raw.map(norm3));
        const moves = raw.map((move) => scale3(move, scale));
        const energyAt = (sign: number): number =>
          engine.evaluate({
            ...large,
            sites: large.sites.map((site, index) => ({
              ...site,
              fractionalCoords: add3(
                site.fractionalCoords,
                rowTimesMatrix3(scale3(moves[index], sign), back),
              ),
            })),
          }).energy;
        const inertia = moves.reduce((sum, move, index) => sum + masses[index % atoms] * dot3(move, move), 0);
        // 15.633302 THz for 1 eV/(Å² u); the sign of the frequency is that of its square.
        const square = (energyAt(1) + energyAt(-1) - 2 * energyAt(0)) / inertia;
        const frequency = 15.633302 * Math.sign(square) * Math.sqrt(Math.abs(square));
        expect(Math.abs(frequency - frequencies[mode])).toBeLessThan(0.05);
      }
    }
  });
});

it('a perovskite has a mode at M in which its energy falls', () => {
  const motionsAt = modeMotions(forceConstants(engine, PEROVSKITE, [2, 2, 2], cubicOperationsOf(PEROVSKITE)));
  const { frequencies, displacements } = motionsAt([0.5, 0.5, 0]);
  expect(frequencies[0]).toBeLessThan(-0.1);
  // The octahedra turn about c: the iodine atoms in the plane of tin move, and nothing else does.
  const sizes = displacements[0].map((parts) => Math.hypot(...parts));
  [0, 0, 0, 1, 1].forEach((size, atom) => expect(sizes[atom]).toBeCloseTo(size, 2));
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
    // The frequencies at q and −q are equal.
    for (let x = 0; x < 7; x++)
      for (let y = 0; y < 14; y++)
        for (let z = 0; z < 14; z++)
          frequencies.push(...solve(folded([(x + 0.5) / 14, (y + 0.5) / 14, (z + 0.5) / 14])).frequencies);
    const points = (4 * 14 ** 3) / 2;
    const perMole = 96.48533212;
    for (const { T_K, F_kJ_mol, S_J_K_mol, Cv_J_K_mol } of answer.thermal_per_primitive_cell) {
      const [at] = thermalProperties({ points, frequencies: Float64Array.from(frequencies) }, [T_K]);
      expect(at.freeEnergy * perMole).toBeCloseTo(F_kJ_mol, 2);
      expect(at.entropy * perMole * 1000).toBeCloseTo(S_J_K_mol, 2);
      expect(at.heatCapacity * perMole * 1000).toBeCloseTo(Cv_J_K_mol, 2);
    }
  },
);
