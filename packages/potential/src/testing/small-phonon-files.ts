/** Small files in the formats of other programs, written for tests: two atoms and round numbers. */
import { EDGE, MASSES, SPRINGS } from './spring-crystal.ts';

const HARTREE = 27.211386245981;
const BOHR = 0.529177210544;

/**
 * Force constants Φ of a pair along each axis, eV/Å², from the first atom to the second, whose position is
 * given in half edges. Null if no spring connects the pair.
 */
function spring(place: readonly number[]): readonly number[] | null {
  const axis = place.findIndex((v) => v !== 0);
  if (place.filter((v) => v !== 0).length !== 1 || Math.abs(place[axis]) !== 1) return null;
  return [0, 1, 2].map((k) => -(k === axis ? SPRINGS.along : SPRINGS.across));
}

const ROWS = [
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const;
const GRID = 2;
const OWN = 2 * SPRINGS.along + 4 * SPRINGS.across;

/** Force constants of the spring crystal on a 2 × 2 × 2 grid, without charges, in the format of q2r.x. */
export function springFc(): string {
  const a = EDGE / BOHR;
  const number = (value: number): string => value.toExponential(11).toUpperCase();
  const lines = [
    `  2    2   0  ${a.toFixed(9)}  0.0  0.0  0.0  0.0  0.0`,
    ...ROWS.map((row) => `  ${row.join('  ')}`),
    `  1  'Na '  ${(MASSES.Na * 1822.888486209) / 2}`,
    `  2  'Cl '  ${(MASSES.Cl * 1822.888486209) / 2}`,
    '  1  1  0.0 0.0 0.0',
    '  2  2  0.5 0.5 0.5',
    ' F',
    '  2   2   2',
  ];
  const unit = HARTREE / 2 / BOHR ** 2;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      for (let first = 0; first < 2; first++)
        for (let second = 0; second < 2; second++) {
          lines.push(`  ${i + 1}  ${j + 1}  ${first + 1}  ${second + 1}`);
          for (let z = 0; z < GRID; z++)
            for (let y = 0; y < GRID; y++)
              for (let x = 0; x < GRID; x++)
                lines.push(
                  `  ${x + 1} ${y + 1} ${z + 1} ${number(valueAt([x, y, z], first, second, i, j) / unit)}`,
                );
        }
  return `${lines.join('\n')}\n`;
}

/** The sum over the images of a cell of the grid; the file counts cells from the second atom to the first. */
function valueAt(cell: readonly number[], first: number, second: number, i: number, j: number): number {
  if (i !== j) return 0;
  let sum = 0;
  for (let x = -2; x <= 2; x++)
    for (let y = -2; y <= 2; y++)
      for (let z = -2; z <= 2; z++) {
        const at = [cell[0] + GRID * x, cell[1] + GRID * y, cell[2] + GRID * z];
        // Positions in units of half an edge.
        const place = [0, 1, 2].map((axis) =>
          Math.round(
            2 * (at[0] * ROWS[0][axis] + at[1] * ROWS[1][axis] + at[2] * ROWS[2][axis]) + (first - second),
          ),
        );
        if (first === second) sum += place.every((v) => v === 0) ? OWN : 0;
        else sum += spring(place)?.[i] ?? 0;
      }
  return sum;
}

/**
 * A DDB of the same crystal at Γ and at half of each reciprocal vector; symmetry gives all others of a 2 × 2 × 2 grid.
 */
export function springDdb(): string {
  const number = (value: number): string => value.toExponential(13).replace('e', 'D');
  const list = (name: string, values: readonly number[]): string =>
    `    ${name}  ${values.map(number).join('  ')}`;
  const points = [
    [0, 0, 0],
    [0.5, 0, 0],
    [0.5, 0.5, 0],
  ];
  return `
 **** DERIVATIVE DATABASE ****
+DDB, Version number    100401

    natom         2
    ntypat         2
${list('acell', [EDGE / BOHR, EDGE / BOHR, EDGE / BOHR])}
${list('amu', [MASSES.Na, MASSES.Cl])}
${list('rprim', ROWS.flat())}
    typat         1    2
${list('xred', [0, 0, 0, 0.5, 0.5, 0.5])}
${list('znucl', [11, 17])}
${list('zion', [1, 7])}

  Description of the potentials (KB energies)

 **** Database of total energy derivatives ****
 Number of data blocks=    3
${points.map(ddbBlock).join('\n')}

 List of bloks and their characteristics
`;
}

function ddbBlock(q: readonly number[]): string {
  const lines: string[] = [];
  for (let j = 0; j < 2; j++)
    for (let b = 0; b < 3; b++)
      for (let i = 0; i < 2; i++)
        for (let a = 0; a < 3; a++) {
          // The Cartesian Φ(q) is diagonal; in reduced coordinates it is L Φ Lᵀ.
          let value = 0;
          for (let axis = 0; axis < 3; axis++)
            value += ROWS[a][axis] * ROWS[b][axis] * EDGE ** 2 * cartesianAt(q, i, j, axis);
          lines.push(
            `   ${a + 1}   ${i + 1}   ${b + 1}   ${j + 1}  ${(value / HARTREE).toExponential(13).replace('e', 'D')}  0.0D+00`,
          );
        }
  return `\n 2nd derivatives (non-stat.)  - # elements :      36\n qpt  ${q.map((v) => v.toExponential(8)).join('  ')}   1.0\n${lines.join('\n')}`;
}

/**
 * Fourier transform of the springs with the phases of lattice translations, which are real at these wave
 * vectors.
 */
function cartesianAt(q: readonly number[], i: number, j: number, axis: number): number {
  if (i === j) return OWN;
  let sum = 0;
  for (let x = -2; x <= 2; x++)
    for (let y = -2; y <= 2; y++)
      for (let z = -2; z <= 2; z++) {
        const place = [0, 1, 2].map((k) =>
          Math.round(2 * (x * ROWS[0][k] + y * ROWS[1][k] + z * ROWS[2][k]) + (j - i)),
        );
        sum += (spring(place)?.[axis] ?? 0) * Math.cos(2 * Math.PI * (q[0] * x + q[1] * y + q[2] * z));
      }
  return sum;
}

const cube = (edge: number): string =>
  [0, 1, 2]
    .map((i) => `- [ ${[0, 1, 2].map((j) => (i === j ? edge : 0).toFixed(6)).join(', ')} ]`)
    .join('\n');

/** A band.yaml of a simple cubic crystal of one atom whose frequencies are 1, 2 and 3 THz times the distance from Γ. */
export const smallBands = (): string =>
  `nqpoint: 3
npath: 1
segment_nqpoint:
- 3
natom: 1
lattice:
${cube(3.35)}
points:
- symbol: Po # 1
  coordinates: [ 0.0, 0.0, 0.0 ]
  mass: 209.0

phonon:
${[0, 0.25, 0.5]
  .map(
    (x, k) =>
      `- q-position: [ ${x}, 0.0, 0.0 ]\n  distance: ${x}\n${k === 0 ? "  label: '$\\Gamma$'\n" : ''}${k === 2 ? '  label: X\n' : ''}  band:\n${[1, 2, 3].map((f) => `  - # ${f}\n    frequency: ${(f * x).toFixed(6)}\n`).join('')}`,
  )
  .join('\n')}`;

/** A mesh.yaml of the same cell, with two wave vectors, one of them with weight 3. */
export const smallMesh = (): string =>
  `mesh: [ 2, 2, 1 ]
nqpoint: 2
natom: 1
lattice:
${cube(3.35)}
points:
- symbol: Po # 1
  coordinates: [ 0.0, 0.0, 0.0 ]
  mass: 209.0

phonon:
${[1, 3]
  .map(
    (weight) =>
      `- q-position: [ 0.25, 0.25, 0.0 ]\n  weight: ${weight}\n  band:\n${[1, 2, 3].map((f) => `  - # ${f}\n    frequency: ${f * weight}.0\n`).join('')}`,
  )
  .join('\n')}`;

/**
 * A document in the form of the Materials Project: a cubic cell of one atom, bands to X, thermal properties per mole of
 * cells.
 */
export const smallDocument = () => {
  const structure = {
    '@class': 'Structure',
    lattice: {
      matrix: [
        [3.35, 0, 0],
        [0, 3.35, 0],
        [0, 0, 3.35],
      ],
    },
    sites: [{ species: [{ element: 'Po', occu: 1 }], abc: [0, 0, 0] }],
  };
  return {
    structure,
    phonon_bandstructure: {
      '@class': 'PhononBandStructureSymmLine',
      structure,
      qpoints: [
        [0, 0, 0],
        [0.25, 0, 0],
        [0.5, 0, 0],
      ],
      bands: [
        [0, 1, 2],
        [0, 1, 2],
        [0, 2, 4],
      ],
      labels_dict: { GAMMA: [0, 0, 0], X: [0.5, 0, 0] },
    },
    phonon_dos: { '@class': 'PhononDos', frequencies: [0, 1, 2, 3], densities: [0, 1, 1, 1] },
    temps: [0, 300],
    free_energies: [1000, -2000],
    entropies: [0, 30],
    heat_capacities: [0, 24.9],
  };
};
