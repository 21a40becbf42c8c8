import { orderedSite, type Structure } from '@unitcell/crystal';
import { subtract3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { ATOM_BUDGET, buildScene, repeatsFor } from './scene.ts';

/** Rutile, u = 0.305 (Howard et al., Acta Cryst. B47 (1991) 462, rounded). */
const u = 0.305;
const rutile: Structure = {
  latticeVectors: [
    [4.594, 0, 0],
    [0, 4.594, 0],
    [0, 0, 2.959],
  ],
  sites: [
    orderedSite('Ti', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [u, u, 0]),
    orderedSite('O', [1 - u, 1 - u, 0]),
    orderedSite('O', [0.5 - u, 0.5 + u, 0.5]),
    orderedSite('O', [0.5 + u, 0.5 - u, 0.5]),
  ],
};

const A = 5.431;
const diamondCell: Structure['latticeVectors'] = [
  [A, 0, 0],
  [0, A, 0],
  [0, 0, A],
];
const faceCentred: Vec3[] = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
];
const silicon: Structure = {
  latticeVectors: diamondCell,
  sites: faceCentred.flatMap(([x, y, z]) => [
    orderedSite('Si', [x, y, z]),
    orderedSite('Si', [x + 0.25, y + 0.25, z + 0.25]),
  ]),
};
const copper: Structure = {
  latticeVectors: [
    [3.61, 0, 0],
    [0, 3.61, 0],
    [0, 0, 3.61],
  ],
  sites: faceCentred.map((place) => orderedSite('Cu', place)),
};

describe('buildScene', () => {
  it('one cell of rutile repeats the atoms on its faces: 9 Ti and 6 O', () => {
    const { atoms } = buildScene(rutile, [1, 1, 1]);
    const inside = atoms.filter((atom) => !atom.completes);
    expect(inside.filter((atom) => atom.element === 'Ti')).toHaveLength(9);
    expect(inside.filter((atom) => atom.element === 'O')).toHaveLength(6);
  });

  it('every polyhedron of rutile is a complete octahedron around a drawn titanium atom', () => {
    const { polyhedra, atoms } = buildScene(rutile, [2, 2, 2]);
    const titanium = atoms.filter((atom) => atom.element === 'Ti' && !atom.completes);
    expect(polyhedra).toHaveLength(titanium.length);
    expect(polyhedra.every((polyhedron) => polyhedron.faces.length === 8)).toBe(true);
  });

  it('bonds connect drawn atoms at a bond length, and each bond occurs once', () => {
    const { atoms, bonds } = buildScene(rutile, [2, 2, 2]);
    const keys = new Set(bonds.map((pair) => pair.toSorted((a, b) => a - b).join(' ')));
    expect(keys.size).toBe(bonds.length);
    for (const [from, to] of bonds) {
      const [a, b] = [atoms[from], atoms[to]];
      const d = Math.hypot(...subtract3(a?.position ?? [0, 0, 0], b?.position ?? [9, 9, 9]));
      expect(d).toBeGreaterThan(1.9);
      expect(d).toBeLessThan(2.0);
    }
  });

  it('does not change when sites are shifted by lattice vectors', () => {
    const moved: Structure = {
      ...rutile,
      sites: rutile.sites.map((site) => ({
        ...site,
        fractionalCoords: site.fractionalCoords.map((x) => x - 2) as unknown as Vec3,
      })),
    };
    expect(buildScene(moved, [1, 1, 1]).atoms).toHaveLength(buildScene(rutile, [1, 1, 1]).atoms.length);
    expect(buildScene(moved, [1, 1, 1]).bonds).toHaveLength(buildScene(rutile, [1, 1, 1]).bonds.length);
  });

  it('completes octahedra across cell boundaries: every drawn titanium atom has its six oxygen atoms', () => {
    const { atoms, bonds } = buildScene(rutile, [1, 1, 1]);
    const titanium = atoms.flatMap(({ element }, index) => (element === 'Ti' ? [index] : []));
    for (const index of titanium) expect(bonds.filter((pair) => pair.includes(index))).toHaveLength(6);
    expect(atoms.filter(({ element, completes }) => element === 'Ti' && completes)).toEqual([]);
  });

  it('draws each edge shared by two cells once', () => {
    expect(buildScene(rutile, [1, 1, 1]).cellEdges).toHaveLength(12);
    // (n + 1)² lines of n segments along each axis.
    expect(buildScene(rutile, [2, 2, 2]).cellEdges).toHaveLength(3 * 9 * 2);
  });

  it('leaves no silicon atom without a bond', () => {
    const { atoms, bonds } = buildScene(silicon, [2, 2, 2]);
    const bonded = new Set(bonds.flat());
    expect(atoms.flatMap((_, index) => (bonded.has(index) ? [] : [index]))).toEqual([]);
  });

  it('suggests polyhedra for frameworks, and bonds for everything but metals', () => {
    expect(buildScene(rutile).suggests).toEqual({ hasPolyhedra: true, hasBonds: true });
    expect(buildScene(silicon).suggests).toEqual({ hasPolyhedra: false, hasBonds: true });
    expect(buildScene(copper).suggests).toEqual({ hasPolyhedra: false, hasBonds: false });
  });

  it('returns an empty scene for no sites', () => {
    expect(buildScene({ ...rutile, sites: [] })).toMatchObject({ atoms: [], bonds: [], polyhedra: [] });
  });
});

describe('repeatsFor', () => {
  it('repeats the cell twice per axis up to twenty sites, and once above', () => {
    expect(repeatsFor(rutile)).toEqual([2, 2, 2]);
    const many = { ...rutile, sites: Array.from({ length: 21 }, () => orderedSite('O', [0, 0, 0])) };
    expect(repeatsFor(many)).toEqual([1, 1, 1]);
  });

  it('repeats elongated cells to a compact block: Bi2Se3, a = 4.14 and c = 28.6 Å, three by three by one', () => {
    const needle: Structure = {
      latticeVectors: [
        [4.143, 0, 0],
        [-2.0715, 3.588, 0],
        [0, 0, 28.636],
      ],
      sites: Array.from({ length: 15 }, (_, at) => orderedSite('Bi', [0, 0, at / 15])),
    };
    expect(repeatsFor(needle)).toEqual([3, 3, 1]);
  });

  it('stays within the limit of atoms', () => {
    const crowded: Structure = {
      latticeVectors: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 80],
      ],
      sites: Array.from({ length: 200 }, (_, at) => orderedSite('Bi', [0, 0, at / 200])),
    };
    expect(200 * repeatsFor(crowded).reduce((product, n) => product * n, 1)).toBeLessThanOrEqual(ATOM_BUDGET);
  });
});

it('a scene lists its coordination polyhedra by name', () => {
  expect(buildScene(rutile).coordination).toEqual(['TiO6']);
});
