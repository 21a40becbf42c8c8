import type { Structure } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { modeDisplacements } from '../phonons.ts';
import { meshFrequencies, phononFrequencies, phononSolver, thermalProperties } from '../phonons.ts';
import { cubicOperationsOf } from '../testing/cubic-operations.ts';
import {
  LONGITUDINAL,
  MASSES,
  springBorn,
  springForceConstants,
  springForceSets,
  springYaml,
  TRANSVERSE,
} from '../testing/spring-crystal.ts';
import { readPhonopyBands } from './phonopy-results.ts';
import { type CrystalTools, type PhonopyFiles, readPhonopy } from './phonopy.ts';

const tools: CrystalTools = {
  primitiveOf: (structure: Structure) => structure,
  operationsOf: cubicOperationsOf,
};
const JOULE_PER_MOL = 96_485.33212;
const yaml = springYaml();
const read = (files: PhonopyFiles) => readPhonopy(files, tools);
/** A multiple of the unit matrix in YAML. */
const rows = (value: number, indent: string): string =>
  [`[ ${value}, 0, 0 ]`, `[ 0, ${value}, 0 ]`, `[ 0, 0, ${value} ]`].join(`\n${indent}- `);

describe('phonopy files of a crystal with springs between its atoms', () => {
  it.each([
    ['forces', { yaml, forceSets: springForceSets() }],
    ['force constants', { yaml, forceConstants: springForceConstants() }],
  ])('%s give the frequencies of the springs', (_, files) => {
    const at = phononFrequencies(read(files));
    const gamma = [...at([0, 0, 0])];
    for (const acoustic of gamma.slice(0, 3)) expect(acoustic).toBeCloseTo(0, 4);
    for (const optical of gamma.slice(3)) expect(optical).toBeCloseTo(TRANSVERSE, 5);
  });

  it('Born charges split the longitudinal mode at Γ in the direction of approach', () => {
    const at = phononFrequencies(read({ yaml, forceSets: springForceSets(), born: springBorn() }));
    expect(at([0, 0, 0])[5]).toBeCloseTo(TRANSVERSE, 5);
    for (const direction of [
      [1, 0, 0],
      [0.3, 0.3, -1],
    ] as const) {
      const [, , , first, second, third] = at([0, 0, 0], direction);
      expect(first).toBeCloseTo(TRANSVERSE, 5);
      expect(second).toBeCloseTo(TRANSVERSE, 5);
      expect(third).toBeCloseTo(LONGITUDINAL, 5);
    }
    // The mode at a small wave vector approaches the one at Γ.
    expect(at([1e-4, 0, 0])[5]).toBeCloseTo(LONGITUDINAL, 3);
  });

  it.each<[string, PhonopyFiles]>([
    [
      'phonopy.yaml',
      {
        yaml: `${yaml}
nac:
  born_effective_charge:
  - - ${rows(1.1, '    ')}
  - - ${rows(-1, '    ')}
  dielectric_constant:
  - ${rows(2.4, '  ')}
`,
      },
    ],
    ['BORN', { yaml, born: springBorn().replaceAll('-1.1', '-1') }],
  ])('charges of %s that do not add up to zero are made neutral', (_, files) => {
    const constants = read({ ...files, forceSets: springForceSets() });
    expect(constants.charges?.born.map(([[xx]]) => xx)).toEqual([
      expect.closeTo(1.05, 9),
      expect.closeTo(-1.05, 9),
    ]);
    expect(phononFrequencies(constants)([0, 0, 0], [1, 0, 0])[2]).toBeCloseTo(0, 4);
  });

  // Expected values: thermal properties at T (K), and the frequencies in THz at one wave vector, which phonopy 4.10.0
  // computes from the same files. Free energy (kJ/mol), entropy and heat capacity (J/(mol K)) are per primitive cell,
  // summed over an 8 × 8 × 8 mesh with the constants of CODATA 2019 (phonopy uses those of 2006).
  it.each([
    [
      'without charges',
      {},
      [
        [0, 6.521141299, 0, 0],
        [50, 6.457051694, 4.74363739, 11.297912876],
        [300, -2.684635058, 62.312054695, 46.538475429],
        [1000, -70.606424426, 120.811480469, 49.569592464],
      ],
      [2.2345882, 3.4922525, 5.0994468, 6.3710596, 7.3755631, 7.8486543],
    ],
    [
      'with charges',
      { born: springBorn() },
      [
        [0, 6.52702797, 0, 0],
        [50, 6.462305747, 4.790785587, 11.382802476],
        [300, -2.696503294, 62.370179516, 46.522925699],
        [1000, -70.654757112, 120.861615327, 49.567817953],
      ],
      [2.2364208, 3.4910209, 5.0286537, 6.2443746, 7.4426201, 7.8488522],
    ],
  ])(
    'thermal properties %s are those of phonopy from the same force constants',
    (_, charges, thermal, generic) => {
      const constants = read({ yaml, forceConstants: springForceConstants(), ...charges });
      const mesh = meshFrequencies(constants, [8, 8, 8], 0.5);
      const found = thermalProperties(
        mesh,
        thermal.map(([temperature]) => temperature),
      );
      thermal.forEach(([, ...known], k) => {
        const { freeEnergy, entropy, heatCapacity } = found[k];
        [freeEnergy / 1000, entropy, heatCapacity].forEach((value, which) =>
          expect(Math.abs(value * JOULE_PER_MOL - known[which])).toBeLessThan(
            1e-6 * Math.max(1, Math.abs(known[which])),
          ),
        );
      });
      const at = phononFrequencies(constants);
      generic.forEach((known, mode) => expect(at([0.13, 0.27, 0.41])[mode]).toBeCloseTo(known, 5));
    },
  );

  it('Born charges do not change frequencies at wave vectors that fit the supercell', () => {
    const files = { yaml, forceSets: springForceSets() };
    const [bare, charged] = [read(files), read({ ...files, born: springBorn() })].map(phononFrequencies);
    for (const q of [
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 0],
      [0.5, 0, 0],
    ] as const) {
      const expected = bare(q);
      charged(q).forEach((frequency, mode) => expect(frequency).toBeCloseTo(expected[mode], 6));
    }
  });
});

/**
 * A band.yaml of the spring crystal with eigenvectors in phonopy's convention: phases exp(2πi q·r) at the
 * positions r of the atoms.
 */
function bandsWithEigenvectors(q: readonly [number, number, number]) {
  const constants = read({ yaml, forceConstants: springForceConstants() });
  const { structure } = constants;
  const { frequencies, vectorsRe, vectorsIm } = phononSolver(constants)(q);
  const size = frequencies.length;
  const masses = [MASSES.Na, MASSES.Cl];
  const vectors = Array.from(frequencies, (_, mode) =>
    masses.map((_mass, atom) => {
      const at = mode * size + 3 * atom;
      return [...vectorsRe.subarray(at, at + 3), ...vectorsIm.subarray(at, at + 3)];
    }),
  );
  const phaseOf = (atom: number): number =>
    -2 * Math.PI * structure.sites[atom].fractionalCoords.reduce((sum, x, axis) => sum + q[axis] * x, 0);
  const written = vectors.map((mode) =>
    mode.map((parts, atom) =>
      [0, 1, 2].map((axis) => {
        const [re, im, phase] = [parts[axis], parts[3 + axis], phaseOf(atom)];
        return [re * Math.cos(phase) - im * Math.sin(phase), re * Math.sin(phase) + im * Math.cos(phase)];
      }),
    ),
  );
  const text = `natom: 2
lattice:
${structure.latticeVectors.map((row) => `- [ ${row.join(', ')} ]`).join('\n')}
points:
${structure.sites
  .map(
    ({ species, fractionalCoords }, atom) =>
      `- symbol: ${species[0].element}\n  coordinates: [ ${fractionalCoords.join(', ')} ]\n  mass: ${masses[atom]}`,
  )
  .join('\n')}
phonon:
- q-position: [ ${q.join(', ')} ]
  label: Q
  band:
${written
  .map(
    (mode, k) =>
      `  - # ${k + 1}\n    frequency: ${frequencies[k]}\n    eigenvector:\n${mode
        .map(
          (atom, j) =>
            `    - # atom ${j + 1}\n${atom.map((pair) => `      - [ ${pair.join(', ')} ]`).join('\n')}`,
        )
        .join('\n')}`,
  )
  .join('\n')}
`;
  return { text, expected: vectors.map((mode) => modeDisplacements(mode, masses)) };
}

it.each([
  ['Γ', [0, 0, 0]],
  ['a general wave vector', [0.13, 0.27, 0.41]],
] as const)(
  'eigenvectors of band.yaml move the atoms as the modes of the force constants do at %s',
  (_, q) => {
    const { text, expected } = bandsWithEigenvectors(q);
    const [point] = readPhonopyBands(text).bands;
    expect(point.displacements).toHaveLength(expected.length);
    point.displacements?.forEach((mode, k) =>
      mode.forEach((parts, atom) =>
        parts.forEach((part, axis) => expect(part).toBeCloseTo(expected[k][atom][axis], 8)),
      ),
    );
  },
);

describe('files that cannot be read are refused, with the missing part named', () => {
  it.each<[string, PhonopyFiles, RegExp]>([
    ['no forces', { yaml }, /FORCE_SETS or FORCE_CONSTANTS is missing/],
    ['no cell', { forceSets: springForceSets() }, /phonopy\.yaml .* is missing/],
    ['an empty file', { yaml: '' }, /the file is empty/],
    [
      'forces of another supercell',
      { yaml, forceSets: springForceSets().replace('64', '32') },
      /32 atoms, the supercell has 64/,
    ],
    ['a cut file', { yaml, forceSets: springForceSets().slice(0, 900) }, /expected 3 numbers/],
    [
      'one displacement only',
      { yaml, forceSets: springForceSets().replace('\n2\n', '\n1\n') },
      /atom 2 .* is not displaced along three directions/,
    ],
    ['random displacements', { yaml, forceSets: '0.1 0 0 0.2 0 0\n' }, /let phonopy write FORCE_CONSTANTS/],
    [
      'an unknown unit',
      { yaml: yaml.replace('eV/angstrom^2', 'kcal/mol') },
      /unit "kcal\/mol" of force_constants/,
    ],
    ['no element', { yaml: yaml.replace('symbol: Cl', 'symbol: Xx') }, /is not an element/],
    ['too many atoms', { yaml, forceConstants: '99999 99999\n' }, /expected a whole number from 1 to 64/],
  ])('%s', (_, files, reason) => {
    expect(() => read(files)).toThrow(reason);
  });
});
