/**
 * Crystals with known structures, and scans of mixtures of them, calculated with the model of the refinement.
 */
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { type RandomSource, seededRandom, type Vec3 } from '@unitcell/numerics';
import { evaluatePattern } from '../refinement/pattern-model.ts';
import { setTexture } from '../refinement/fit-state.ts';
import { prepare } from '../refinement/prepare.ts';
import type { RefinementPhase, RefinementRequest } from '../refinement/types.ts';
import { cellMass } from '../refinement/weight-fractions.ts';

const CENTRED: readonly Vec3[] = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
];
const RHOMBOHEDRAL: readonly Vec3[] = [
  [0, 0, 0],
  [2 / 3, 1 / 3, 1 / 3],
  [1 / 3, 2 / 3, 2 / 3],
];

const atoms = (element: string, positions: readonly Vec3[], shifts: readonly Vec3[] = [[0, 0, 0]]) =>
  shifts.flatMap((shift) =>
    positions.map(([x, y, z]) => orderedSite(element, [x + shift[0], y + shift[1], z + shift[2]])),
  );

const cell = (a: number, b: number, c: number, gamma = 90, beta = 90) =>
  latticeVectorsFromParameters({ a, b, c, alpha: 90, beta, gamma });

/** J. Lewis, D. Schwarzenbach and H. D. Flack, Acta Cryst. A38, 733 (1982). */
export const CORUNDUM: Structure = {
  latticeVectors: cell(4.757, 4.757, 12.9877, 120),
  sites: [
    ...atoms(
      'Al',
      [0.35216, -0.35216, 0.14784, 0.85216].map((z): Vec3 => [0, 0, z]),
      RHOMBOHEDRAL,
    ),
    ...atoms(
      'O',
      [
        [0.30624, 0, 0.25],
        [0, 0.30624, 0.25],
        [-0.30624, -0.30624, 0.25],
        [-0.30624, 0, 0.75],
        [0, -0.30624, 0.75],
        [0.30624, 0.30624, 0.75],
      ],
      RHOMBOHEDRAL,
    ),
  ],
};

/** S. C. Abrahams and J. L. Bernstein, Acta Cryst. B25, 1233 (1969). */
export const ZINCITE: Structure = {
  latticeVectors: cell(3.2495, 3.2495, 5.2069, 120),
  sites: [
    ...atoms('Zn', [
      [1 / 3, 2 / 3, 0],
      [2 / 3, 1 / 3, 0.5],
    ]),
    ...atoms('O', [
      [1 / 3, 2 / 3, 0.3819],
      [2 / 3, 1 / 3, 0.8819],
    ]),
  ],
};

export const FLUORITE: Structure = {
  latticeVectors: cell(5.463, 5.463, 5.463),
  sites: [
    ...atoms('Ca', [[0, 0, 0]], CENTRED),
    ...atoms(
      'F',
      [
        [0.25, 0.25, 0.25],
        [0.75, 0.75, 0.75],
      ],
      CENTRED,
    ),
  ],
};

/** A monoclinic cell with atoms in general positions; not a known compound. */
export const MONOCLINIC: Structure = {
  latticeVectors: cell(5.1, 6.3, 7.2, 90, 103),
  sites: [
    ...atoms('Ti', [
      [0.11, 0.23, 0.37],
      [0.89, 0.73, 0.13],
      [0.89, 0.77, 0.63],
      [0.11, 0.27, 0.87],
    ]),
    ...atoms('O', [
      [0.41, 0.07, 0.21],
      [0.59, 0.57, 0.29],
      [0.59, 0.93, 0.79],
      [0.41, 0.43, 0.71],
    ]),
  ],
};

export const CU_KA = [
  { wavelength: 1.540593, weight: 1 },
  { wavelength: 1.544427, weight: 0.5 },
] as const;

/** A normal deviate (Box and Muller 1958). */
const normal = (random: RandomSource): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

export interface ScanOptions {
  readonly phases: readonly RefinementPhase[];
  /** Shares by weight. */
  readonly fractions: readonly number[];
  /**
   * Values of parameters by name, for all phases that have a parameter of this name; `scale` follows from the
   * fractions.
   */
  readonly values?: Readonly<Record<string, number>>;
  /** March's r of the first phase about [001]. */
  readonly march?: number;
  readonly range?: readonly [number, number];
  readonly stepDeg?: number;
  /** Counts of the highest point above a background of 60. With a seed, Poisson noise is added. */
  readonly counts?: number;
  readonly seed?: number;
}

/** A refinement request whose pattern is calculated. */
export function simulatedScan(options: ScanOptions): RefinementRequest {
  const { phases, fractions, range = [15, 120], stepDeg = 0.02, counts = 20_000, seed, march } = options;
  const n = Math.round((range[1] - range[0]) / stepDeg) + 1;
  const twoThetaDeg = Array.from({ length: n }, (_, i) => range[0] + i * stepDeg);
  const request = (intensities: readonly number[]): RefinementRequest => ({
    pattern: { twoThetaDeg, intensities },
    radiation: CU_KA,
    phases,
    options: { method: 'rietveld', refine: 'automatic', backgroundTerms: 5 },
  });
  const empty = request(twoThetaDeg.map((_, i) => 60 + (i % 2)));
  const { state } = prepare(empty, {});
  const { layout } = state.model;
  state.values.fill(0, 0, layout.common.zero);
  const values: Record<string, number> = { W: 0.006, X: 0.05, Y: 0.05, ...options.values };
  layout.specs.forEach(({ name, phase }, parameter) => {
    if (Object.hasOwn(values, name)) state.values[parameter] = values[name];
    if (name === 'scale' && phase !== undefined) {
      const { structure } = phases[phase];
      const [a, b, c] = structure.latticeVectors;
      const volume = Math.abs(
        a[0] * (b[1] * c[2] - b[2] * c[1]) -
          a[1] * (b[0] * c[2] - b[2] * c[0]) +
          a[2] * (b[0] * c[1] - b[1] * c[0]),
      );
      state.values[parameter] = fractions[phase] / (cellMass(structure) * volume);
    }
  });
  if (march !== undefined) {
    setTexture(state, 0, [0, 0, 1]);
    state.values[layout.phases[0].march] = march;
  }
  const { calculated } = evaluatePattern(state.model, state.values, []);
  const highest = calculated.reduce((best, value) => Math.max(best, value), 0);
  const random = seededRandom(seed ?? 1);
  return request(
    Array.from(calculated, (value) => {
      const mean = 60 + (counts * value) / highest;
      return seed === undefined ? mean : Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
    }),
  );
}

/** The structure with its edges changed. */
export function stretched(structure: Structure, factors: Vec3): Structure {
  const [a, b, c] = structure.latticeVectors;
  const by = (v: Vec3, factor: number): Vec3 => [v[0] * factor, v[1] * factor, v[2] * factor];
  return { ...structure, latticeVectors: [by(a, factors[0]), by(b, factors[1]), by(c, factors[2])] };
}
