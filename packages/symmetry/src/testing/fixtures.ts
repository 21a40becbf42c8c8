/**
 * Small crystals from published cells, for tests. Lengths in Å.
 *
 * Rock salt, CsCl, zinc blende, wurtzite, diamond: R. W. G. Wyckoff, Crystal Structures, vol. 1 (1963).
 * Rutile: Abrahams & Bernstein, J. Chem. Phys. 55 (1971) 3206. Anatase: Howard et al., Acta Cryst. B47 (1991)
 * 462. Quartz: Levien et al., Am. Mineral. 65 (1980) 920. LiFePO4: Streltsov et al., Acta Cryst. B49 (1993)
 * 147.
 */
import { latticeVectorsFromParameters, orderedSite, type Site, type Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';

const cell = (a: number, b: number, c: number, [alpha, beta, gamma]: Vec3 = [90, 90, 90]) =>
  latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma });

const sites = (element: string, positions: readonly Vec3[]): Site[] =>
  positions.map((position) => orderedSite(element, position));

const FACE_CENTRES: readonly Vec3[] = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
];
const BODY_CENTRES: readonly Vec3[] = [
  [0, 0, 0],
  [0.5, 0.5, 0.5],
];

const centred = (centres: readonly Vec3[], [x, y, z]: Vec3): Vec3[] =>
  centres.map(([u, v, w]) => [x + u, y + v, z + w]);

/** Fm-3m (225). */
export const rockSalt: Structure = {
  latticeVectors: cell(5.6402, 5.6402, 5.6402),
  sites: [...sites('Na', FACE_CENTRES), ...sites('Cl', centred(FACE_CENTRES, [0.5, 0.5, 0.5]))],
};

/** Pm-3m (221). */
export const caesiumChloride: Structure = {
  latticeVectors: cell(4.123, 4.123, 4.123),
  sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.5])],
};

/** Fd-3m (227). */
export const diamond: Structure = {
  latticeVectors: cell(3.567, 3.567, 3.567),
  sites: [...sites('C', FACE_CENTRES), ...sites('C', centred(FACE_CENTRES, [0.25, 0.25, 0.25]))],
};

/** F-43m (216). */
export const zincBlende: Structure = {
  latticeVectors: cell(5.406, 5.406, 5.406),
  sites: [...sites('Zn', FACE_CENTRES), ...sites('S', centred(FACE_CENTRES, [0.25, 0.25, 0.25]))],
};

/** P6_3mc (186). */
export const wurtzite: Structure = {
  latticeVectors: cell(3.811, 3.811, 6.234, [90, 90, 120]),
  sites: [
    ...sites('Zn', [
      [1 / 3, 2 / 3, 0],
      [2 / 3, 1 / 3, 0.5],
    ]),
    ...sites('S', [
      [1 / 3, 2 / 3, 0.371],
      [2 / 3, 1 / 3, 0.871],
    ]),
  ],
};

const u = 0.3051;
/** P4_2/mnm (136). */
export const rutile: Structure = {
  latticeVectors: cell(4.594, 4.594, 2.959),
  sites: [
    ...sites('Ti', BODY_CENTRES),
    ...sites('O', [
      [u, u, 0],
      [1 - u, 1 - u, 0],
      [0.5 - u, 0.5 + u, 0.5],
      [0.5 + u, 0.5 - u, 0.5],
    ]),
  ],
};

const z = 0.2081;
/** I4_1/amd (141), origin at −4m2. */
export const anatase: Structure = {
  latticeVectors: cell(3.7845, 3.7845, 9.5143),
  sites: [
    ...sites('Ti', [...centred(BODY_CENTRES, [0, 0, 0]), ...centred(BODY_CENTRES, [0, 0.5, 0.25])]),
    ...sites('O', [
      ...centred(BODY_CENTRES, [0, 0, z]),
      ...centred(BODY_CENTRES, [0, 0, -z]),
      ...centred(BODY_CENTRES, [0, 0.5, 0.25 + z]),
      ...centred(BODY_CENTRES, [0, 0.5, 0.25 - z]),
    ]),
  ],
};

/** P3_221 (154), origin on the twofold axis through the first silicon. */
export const quartz: Structure = (() => {
  const si = 0.4697;
  const [x, y, w] = [0.4135, 0.2669, 0.1191];
  return {
    latticeVectors: cell(4.916, 4.916, 5.4054, [90, 90, 120]),
    sites: [
      ...sites('Si', [
        [si, 0, 0],
        [0, si, 2 / 3],
        [-si, -si, 1 / 3],
      ]),
      ...sites('O', [
        [x, y, w],
        [-y, x - y, w + 2 / 3],
        [y - x, -x, w + 1 / 3],
        [x - y, -y, -w],
        [y, x, 2 / 3 - w],
        [-x, y - x, 1 / 3 - w],
      ]),
    ],
  };
})();

/** Pnma (62), 28 sites. */
export const lithiumIronPhosphate: Structure = (() => {
  const onMirror = (x: number, w: number): Vec3[] => [
    [x, 0.25, w],
    [0.5 - x, 0.75, 0.5 + w],
    [-x, 0.75, -w],
    [0.5 + x, 0.25, 0.5 - w],
  ];
  const general = (x: number, y: number, w: number): Vec3[] => [
    ...([
      [x, y, w],
      [0.5 - x, -y, 0.5 + w],
      [-x, 0.5 + y, -w],
      [0.5 + x, 0.5 - y, 0.5 - w],
    ] as const),
    ...([
      [-x, -y, -w],
      [0.5 + x, y, 0.5 - w],
      [x, 0.5 - y, w],
      [0.5 - x, 0.5 + y, 0.5 + w],
    ] as const),
  ];
  return {
    latticeVectors: cell(10.3298, 6.0079, 4.6921),
    sites: [
      ...sites('Li', [
        [0, 0, 0],
        [0.5, 0, 0.5],
        [0, 0.5, 0],
        [0.5, 0.5, 0.5],
      ]),
      ...sites('Fe', onMirror(0.28222, 0.97472)),
      ...sites('P', onMirror(0.09486, 0.4182)),
      ...sites('O', onMirror(0.09679, 0.7428)),
      ...sites('O', onMirror(0.45713, 0.2058)),
      ...sites('O', general(0.1656, 0.0465, 0.2848)),
    ],
  };
})();

// Reads the structures of the reference cases (matrix of rows, sites with species and `abc`).

export interface ReferenceStructure {
  readonly lattice: { readonly matrix: Mat3 };
  readonly sites: readonly {
    readonly species: readonly { readonly element: string; readonly occu: number }[];
    readonly abc: Vec3;
  }[];
}

export const fromReferenceStructure = ({ lattice, sites: given }: ReferenceStructure): Structure => ({
  latticeVectors: lattice.matrix,
  sites: given.map(({ species, abc }) => ({
    species: species.map(({ element, occu }) => ({ element, occupancy: occu })),
    fractionalCoords: abc,
  })),
});
