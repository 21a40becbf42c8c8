import { cellVolume, latticeParameters, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import { IDENTITY3, type Mat3, multiply3, type Vec3 } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { expect, it } from 'vitest';
import { elasticTensor } from './elastic-tensor.ts';
import type { Engine } from './engine.ts';
import { equationOfState } from './equation-of-state.ts';
import { relax } from './relax.ts';
import { deformed, displaced, distorted, rockSalt, silicon } from './testing/crystals.ts';
import { engine } from './testing/engines-in-node.ts';
import { fromPositions, readJson } from './testing/reference-cases-in-node.ts';
import { volumeStates } from './thermal-expansion.ts';
import { hopBand, hopSupercell, vacancyHops } from './vacancy-hops.ts';

/** Start and end of a relaxation by the original code (sevenn 0.13.0, ASE 3.29.0, largest force 0.001 eV/Å). */
interface RelaxationCase {
  readonly formula: string;
  readonly species: readonly string[];
  readonly start: { readonly lattice: Mat3; readonly positions: readonly Vec3[] };
  readonly final: { readonly energy_per_atom: number; readonly cellpar: readonly number[] };
}

const ZINC_OXIDE: RelaxationCase = {
  formula: 'ZnO',
  species: ['Zn', 'Zn', 'O', 'O'],
  start: {
    lattice: [
      [3.290431, 0, 0],
      [-1.645215, 2.849597, 0],
      [0, 0, 5.307683],
    ],
    positions: [
      [1.645232, 0.949856, 2.656973],
      [-0.000016, 1.899741, 0.003132],
      [1.645232, 0.949856, 4.669275],
      [-0.000016, 1.899741, 2.015433],
    ],
  },
  final: { energy_per_atom: -4.54890571, cellpar: [3.28892, 3.28892, 5.29939, 90, 90, 119.99987] },
};

/** Differences from the final structure of the original code: eV/atom, relative lengths, degrees. */
function differences({ species, start, final }: RelaxationCase) {
  const found = relax(engine, fromPositions(start.lattice, species, start.positions), { force: 0.002 });
  const { a, b, c, alpha, beta, gamma } = latticeParameters(found.structure.latticeVectors);
  return {
    energy: Math.abs(found.evaluation.energy / species.length - final.energy_per_atom),
    length: Math.max(...[a, b, c].map((length, k) => Math.abs(length / final.cellpar[k] - 1))),
    angle: Math.max(...[alpha, beta, gamma].map((angle, k) => Math.abs(angle - final.cellpar[3 + k]))),
  };
}

it('the relaxed cell of zinc oxide equals that of the original code', () => {
  const { energy, length, angle } = differences(ZINC_OXIDE);
  expect(energy).toBeLessThan(1e-5);
  expect(length).toBeLessThan(1e-3);
  expect(angle).toBeLessThan(0.05);
});

it.runIf(hasSharedData)('the relaxed cells of eight crystals equal those of the original code', () => {
  const cases = readJson(sharedPath('reference', 'potential', 'relaxations.json'));
  for (const { energy, length, angle } of (cases as readonly RelaxationCase[]).map(differences)) {
    expect(energy).toBeLessThan(1e-4);
    expect(length).toBeLessThan(3e-3);
    expect(angle).toBeLessThan(0.2);
  }
});

it('a distorted crystal returns to the energy and volume of its prototype', () => {
  const prototype = relax(engine, silicon(), { force: 0.001 });
  const found = relax(engine, distorted(silicon(5.5), 5), { force: 0.001, stress: 5e-5 });
  expect(found.isConverged).toBe(true);
  expect(Math.abs(found.evaluation.energy - prototype.evaluation.energy)).toBeLessThan(2e-5);
  const volumes = [found, prototype].map(({ structure }) => cellVolume(structure.latticeVectors));
  expect(volumes[0] / volumes[1]).toBeCloseTo(1, 3);
});

it('if the cell is fixed, only the atoms move', () => {
  const start = displaced(silicon(), 1, [0.1, -0.05, 0.02]);
  const { structure, evaluation } = relax(engine, start, { cell: false });
  expect(structure.latticeVectors).toEqual(start.latticeVectors);
  expect(Math.max(...evaluation.forces.map(Math.abs))).toBeLessThan(0.005);
});

it('the given symmetry operations are preserved', () => {
  // A tetragonal cell of rock salt: the fourfold axis along z must be preserved, even if rounding would break it.
  const start = deformed(rockSalt('Mg', 'O', 4.3), [
    [1.02, 0, 0],
    [0, 1.02, 0],
    [0, 0, 0.97],
  ]);
  // x → y, y → −x, z → z in fractions of the face-centred primitive axes.
  const quarter: Mat3 = [
    [0, 0, -1],
    [1, 1, 1],
    [0, -1, 0],
  ];
  const half = multiply3(quarter, quarter);
  const operations = [IDENTITY3, quarter, half, multiply3(half, quarter)].map(
    (rotation): SymmetryOperation => ({ rotation, translation: [0, 0, 0] }),
  );
  const { structure, isConverged } = relax(engine, start, { operations });
  expect(isConverged).toBe(true);
  const [a, b, c] = structure.latticeVectors;
  expect(a[1]).toBeCloseTo(b[0], 9);
  expect(c[0]).toBeCloseTo(c[1], 9);
  expect(a[2]).toBeCloseTo(b[2], 9);
});

it('a relaxation stops after the allowed steps and reports that it has not converged', () => {
  const { steps, isConverged } = relax(engine, distorted(silicon(), 2), { maxSteps: 1 });
  expect(steps).toBe(1);
  expect(isConverged).toBe(false);
});

it.each<[string, Structure, object]>([
  ['volume-change', silicon(6.5), {}],
  // The limit refers to one volume, so that a chain of relaxations cannot exceed it step by step.
  ['volume-change', silicon(), { referenceVolume: cellVolume(silicon().latticeVectors) / 1.4 }],
  ['overlapping-atoms', silicon(3), {}],
  [
    // A fourfold rotation about any axis maps the only atom of the cell onto itself. If the cell is tetragonal
    // along z, a rotation about x changes the cell.
    'symmetry',
    {
      latticeVectors: [
        [2.8, 0, 0],
        [0, 2.8, 0],
        [0, 0, 3.1],
      ],
      sites: [{ species: [{ element: 'Fe', occupancy: 1 }], fractionalCoords: [0, 0, 0] }],
    },
    {
      operations: [
        { rotation: IDENTITY3, translation: [0, 0, 0] },
        {
          rotation: [
            [1, 0, 0],
            [0, 0, -1],
            [0, 1, 0],
          ],
          translation: [0, 0, 0],
        },
      ],
    },
  ],
  [
    'symmetry',
    displaced(silicon(), 1, [0.3, 0, 0]),
    {
      operations: [
        {
          rotation: [
            [-1, 0, 0],
            [0, -1, 0],
            [0, 0, -1],
          ],
          translation: [0.25, 0.25, 0.25],
        },
      ],
    },
  ],
])('a relaxation ends with %s', (code, structure, options) => {
  expect(() => relax(engine, structure, options)).toThrow(expect.objectContaining({ code }));
});

/** Its forces push the first atom forever. */
const restless: Engine = {
  evaluate({ sites }) {
    const forces = new Float64Array(3 * sites.length);
    forces[0] = 0.1;
    return { energy: 0, energies: new Float64Array(sites.length), forces, stress: [0, 0, 0, 0, 0, 0] };
  },
};

it.each<[string, (crystal: Structure) => unknown]>([
  ['elastic tensor', (crystal) => elasticTensor(restless, crystal)],
  ['equation of state', (crystal) => equationOfState(restless, crystal)],
  [
    'thermal expansion',
    (crystal) => volumeStates(restless, crystal, { repeats: [1, 1, 1], mesh: [1, 1, 1], temperatures: [0] }),
  ],
  [
    'path of a hop',
    (crystal) => hopBand(restless, crystal, vacancyHops(crystal, 'Si')[0], hopSupercell(crystal, 40)),
  ],
])('atoms that do not come to rest give no %s', (_, calculate) => {
  expect(() => calculate(silicon())).toThrow(expect.objectContaining({ code: 'not-converged' }));
});
