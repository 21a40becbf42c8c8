/**
 * Phonopy files of a crystal whose properties are known exactly: rock salt with springs between nearest
 * neighbours, along the bond and perpendicular to it, and charges of ±1. The files were written for tests and
 * are not results of a calculation.
 */

/** Spring constants along and perpendicular to the bonds, eV/Å². */
export const SPRINGS = { along: 1.5, across: 0.2 } as const;
export const EDGE = 5.6;
/** u */
export const MASSES = { Na: 22.99, Cl: 35.45 } as const;
/** Relative permittivity, and the Born charge of the cation, e. */
export const CHARGES = { dielectric: 2.4, born: 1.1 } as const;

const REPEATS = 2;
const CONVENTIONAL: readonly (readonly [keyof typeof MASSES, number, number, number])[] = [
  ...[
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ].map(([x, y, z]) => ['Na', x, y, z] as [keyof typeof MASSES, number, number, number]),
  ...[
    [0.5, 0.5, 0.5],
    [0.5, 0, 0],
    [0, 0.5, 0],
    [0, 0, 0.5],
  ].map(([x, y, z]) => ['Cl', x, y, z] as [keyof typeof MASSES, number, number, number]),
];

const list = (values: readonly number[]): string => `[ ${values.map((v) => v.toFixed(15)).join(', ')} ]`;
const rows = (size: number): string =>
  [0, 1, 2].map((i) => `- ${list([0, 1, 2].map((j) => (i === j ? size : 0)))}`).join('\n');

/** Positions in units of half an edge, in the order of phonopy: atom by atom, with the first axis fastest. */
const atoms = CONVENTIONAL.flatMap(([element, ...place]) => {
  const made: { readonly element: keyof typeof MASSES; readonly place: readonly number[] }[] = [];
  for (let z = 0; z < REPEATS; z++)
    for (let y = 0; y < REPEATS; y++)
      for (let x = 0; x < REPEATS; x++)
        made.push({
          element,
          place: [place[0] + x, place[1] + y, place[2] + z].map((v) => Math.round(2 * v)),
        });
  return made;
});

/** Force on each atom, eV/Å, when the atom `moved` is displaced by `by`. */
function forces(moved: number, by: readonly number[]): number[][] {
  const answer = atoms.map(() => [0, 0, 0]);
  const size = 2 * REPEATS;
  atoms.forEach(({ place }, other) => {
    const steps = place.map((v, axis) => (((v - atoms[moved].place[axis]) % size) + size) % size);
    const axis = steps.findIndex((step) => step !== 0);
    const isNeighbour =
      steps.filter((step) => step !== 0).length === 1 && [1, size - 1].includes(steps[axis]);
    if (!isNeighbour) return;
    by.forEach((u, k) => {
      const force = (k === axis ? SPRINGS.along : SPRINGS.across) * u;
      answer[other][k] += force;
      answer[moved][k] -= force;
    });
  });
  return answer;
}

const DISPLACED = [0, atoms.length / 2];

/** A phonopy.yaml with cells and displacements; it is used together with FORCE_SETS and BORN. */
export function springYaml(): string {
  const points = (
    scale: number,
    list3: readonly { readonly element: string; readonly place: readonly number[] }[],
  ) =>
    list3
      .map(
        ({ element, place }, k) =>
          `  - symbol: ${element} # ${k + 1}\n    coordinates: ${list(place.map((v) => v / scale))}\n    mass: ${MASSES[element as keyof typeof MASSES]}`,
      )
      .join('\n');
  const cell = (name: string, size: number, scale: number, of: Parameters<typeof points>[1]) =>
    `${name}:\n  lattice:\n${rows(size)
      .split('\n')
      .map((row) => `  ${row}`)
      .join('\n')}\n  points:\n${points(scale, of)}\n`;
  return `phonopy:
  version: "2.40.0"
  calculator: vasp

physical_unit:
  atomic_mass: "AMU"
  length: "angstrom"
  force_constants: "eV/angstrom^2"

primitive_matrix:
- [ 0.0, 0.5, 0.5 ]
- [ 0.5, 0.0, 0.5 ]
- [ 0.5, 0.5, 0.0 ]

supercell_matrix:
- [ 2, 0, 0 ]
- [ 0, 2, 0 ]
- [ 0, 0, 2 ]

${cell(
  'unit_cell',
  EDGE,
  1,
  CONVENTIONAL.map(([element, ...place]) => ({ element, place })),
)}
${cell('supercell', EDGE * REPEATS, 2 * REPEATS, atoms)}`;
}

export const springForceSets = (): string =>
  [
    String(atoms.length),
    String(DISPLACED.length),
    ...DISPLACED.flatMap((atom) => [
      '',
      String(atom + 1),
      '  0.01 0.0 0.0',
      ...forces(atom, [0.01, 0, 0]).map((force) => `  ${force.map((v) => v.toFixed(12)).join(' ')}`),
    ]),
    '',
  ].join('\n');

/** Full force constants in the format of FORCE_CONSTANTS. */
export function springForceConstants(): string {
  const lines = [`${atoms.length} ${atoms.length}`];
  atoms.forEach((_, i) => {
    const columns = [0, 1, 2].map((k) =>
      forces(
        i,
        [0, 1, 2].map((axis) => (axis === k ? 1 : 0)),
      ),
    );
    atoms.forEach((_other, j) => {
      lines.push(`${i + 1} ${j + 1}`);
      for (let a = 0; a < 3; a++) lines.push([0, 1, 2].map((b) => (-columns[a][j][b]).toFixed(15)).join(' '));
    });
  });
  return `${lines.join('\n')}\n`;
}

const isotropic = (value: number): string => `${value} 0 0 0 ${value} 0 0 0 ${value}`;

export const springBorn = (): string =>
  ['default', isotropic(CHARGES.dielectric), isotropic(CHARGES.born), isotropic(-CHARGES.born), ''].join(
    '\n',
  );

const THZ = 15.633302;
const reducedMass = (MASSES.Na * MASSES.Cl) / (MASSES.Na + MASSES.Cl);

/** Transverse frequency at Γ, THz: each ion has two neighbours along each axis and four perpendicular to it. */
export const TRANSVERSE = THZ * Math.sqrt((2 * SPRINGS.along + 4 * SPRINGS.across) / reducedMass);
/** Longitudinal frequency at Γ, THz; its square is ω² + 4π Z² e² / (ε V μ) (Lyddane, Sachs and Teller). */
export const LONGITUDINAL = Math.sqrt(
  TRANSVERSE ** 2 +
    (THZ ** 2 * 4 * Math.PI * 14.3996454784 * CHARGES.born ** 2) /
      (CHARGES.dielectric * (EDGE ** 3 / 4) * reducedMass),
);
