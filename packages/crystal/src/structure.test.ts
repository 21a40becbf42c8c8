import { describe, expect, it } from 'vitest';
import { CrystalError } from './error.ts';
import { readCif } from './io/read-cif.ts';
import { fromPymatgenDict } from './pymatgen-dict.ts';
import { signedMoments } from './io/cif-moments.ts';
import { fromCompactCell, orderedSite, type Structure, toCompactCell } from './structure.ts';

describe('signedMoments', () => {
  it('are signed if all moments are parallel or antiparallel to one line, whatever its direction', () => {
    expect(signedMoments([[0, 0, -3], [0, 0, 3], undefined, [0, 0, 0]])).toEqual([-3, 3, undefined, 0]);
    const [up, down] = signedMoments([
      [1, 2, 2],
      [-0.5, -1, -1],
    ]);
    expect(up).toBeCloseTo(3, 12);
    expect(down).toBeCloseTo(-1.5, 12);
  });

  it('are unsigned lengths if the moments are not along one line', () => {
    expect(
      signedMoments([
        [2, 0, 0],
        [0, -1, 0],
      ]),
    ).toEqual([2, 1]);
  });
});

const CELL = {
  matrix: [
    [4.2, 0, 0],
    [0, 4.2, 0],
    [0, 0, 4.2],
  ],
};
const withMoments = (...magmoms: unknown[]) => ({
  lattice: CELL,
  sites: magmoms.map((magmom, i) => ({
    species: [{ element: 'Mn', occu: 1 }],
    abc: [i / magmoms.length, 0, 0],
    properties: magmom === undefined ? {} : { magmom },
  })),
});
const momentsOf = (...magmoms: unknown[]) =>
  fromPymatgenDict(withMoments(...magmoms)).sites.map(({ moment }) => moment);

describe('moments in the JSON of pymatgen', () => {
  it('are read from numbers, vectors, or moments with an axis', () => {
    expect(momentsOf(4.5, -4.5, undefined)).toEqual([4.5, -4.5, undefined]);
    expect(momentsOf([0, 0, 4], [0, 0, -4])).toEqual([4, -4]);
    expect(momentsOf({ moment: [0, 3, 0], saxis: [0, 0, 1] }, { moment: -2, saxis: [0, 0, 1] })).toEqual([
      3, 2,
    ]);
  });

  it('are ignored if invalid, and the crystal is still read', () => {
    expect(momentsOf('up', null, [1, 2], Number.NaN)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

/**
 * Two sites of rock-salt MnO with its (111) sheets, as written by pymatgen's `CifWriter(structure,
 * write_magmoms=True)`.
 */
const CIF = `data_MnO
_cell_length_a 4.2
_cell_length_b 4.2
_cell_length_c 8.4
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_symmetry_equiv_pos_as_xyz
'x, y, z'
loop_
_atom_site_type_symbol
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Mn Mn0 0 0 0
Mn Mn1 0 0 0.5
O O2 0.5 0.5 0.25
loop_
_atom_site_moment_label
_atom_site_moment_crystalaxis_x
_atom_site_moment_crystalaxis_y
_atom_site_moment_crystalaxis_z
Mn0 0 0 4.58(2)
Mn1 0 0 -4.58
`;
const cifMoments = (text: string) => readCif(text).structures[0].structure.sites.map(({ moment }) => moment);

describe('moments of a CIF', () => {
  it('are assigned to the sites with the given labels and refer to the cell axes', () => {
    expect(cifMoments(CIF)).toEqual([4.58, -4.58, undefined]);
  });

  it('are components along unit vectors of the axes: 3 along a and 4 along b have the length 5', () => {
    expect(cifMoments(CIF.replace('0 0 4.58(2)', '3 4 0').replace('0 0 -4.58', '-3 -4 0'))).toEqual([
      5,
      -5,
      undefined,
    ]);
  });

  it('are lengths if symmetry generates further sites, because the operations give no directions', () => {
    const doubled = CIF.replace("'x, y, z'", "'x, y, z'\n'x+1/2, y+1/2, z'");
    expect(cifMoments(doubled)).toEqual([4.58, 4.58, 4.58, 4.58, undefined, undefined]);
  });

  it('that are not numbers are refused with their position', () => {
    const read = () => readCif(CIF.replace('4.58(2)', 'up'));
    expect(read).toThrow(CrystalError);
    expect(read).toThrow(expect.objectContaining({ reason: 'cif-no-number', line: 25 }));
  });
});

const rockSalt: Structure = {
  latticeVectors: [
    [0, 2.82, 2.82],
    [2.82, 0, 2.82],
    [2.82, 2.82, 0],
  ],
  sites: [orderedSite('Na', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.5])],
};

describe('toCompactCell', () => {
  it('gives a cell that is read back as the same structure, including shared and partly empty sites', () => {
    const mixed: Structure = {
      ...rockSalt,
      sites: [
        {
          species: [
            { element: 'Na', occupancy: 0.25 },
            { element: 'K', occupancy: 0.75 },
          ],
          fractionalCoords: [0, 0, 0],
        },
        { species: [{ element: 'Cl', occupancy: 0.5 }], fractionalCoords: [0.5, 0.5, 0.5] },
      ],
    };
    for (const structure of [rockSalt, mixed])
      expect(fromCompactCell(toCompactCell(structure))).toEqual(structure);
  });

  it('is plain JSON', () => {
    const cell = toCompactCell(rockSalt);
    expect(JSON.parse(JSON.stringify(cell))).toEqual(cell);
    expect(cell.species).toEqual(['Na', 'Cl']);
  });
});
